// Encodings as formats, and the spelling of old ones.
#include "strata/interop/Encodings.h"
#include "strata/interop/ImportLinalg.h"
#include "strata/interop/ReadModule.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace mlir;

namespace strata::interop {
namespace {

class EncodingTest : public ::testing::Test {
protected:
  EncodingTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  // The format of a tensor type, as text; "" and `message` where it is refused.
  std::string formatOf(const std::string &text) {
    std::string result;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    auto type = dyn_cast_or_null<RankedTensorType>(parseType(text, &context));
    if (!type)
      return "no type";
    FailureOr<RankedTensorType> made =
        typeOf(type, [&] { return emitError(UnknownLoc::get(&context)); });
    if (failed(made))
      return "";
    llvm::raw_string_ostream(result) << made->getEncoding();
    return result;
  }
  std::string encoded(const std::string &encoding, const std::string &shape = "?x?xf64") {
    return formatOf("tensor<" + shape + ", #sparse_tensor.encoding<{" + encoding + "}>>");
  }

  MLIRContext context;
  std::string message;
};

TEST_F(EncodingTest, LevelsKeepTheirNamesAndProperties) {
  EXPECT_EQ(encoded("map = (i, j) -> (j : dense, i : compressed)"),
            "#ta.format<(i, j) -> (j : dense, i : compressed)>");
  EXPECT_EQ(encoded("map = (i, j) -> (i : compressed(nonunique, nonordered), j : singleton(soa))"),
            "#ta.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton)>");
  EXPECT_EQ(encoded("map = (i, j) -> (i : compressed(nonunique), j : singleton)"),
            "#ta.format<(i, j) -> (i : compressed(nonunique, aos), j : singleton)>");
  EXPECT_EQ(encoded("map = (i, j, k) -> (i : dense, j : compressed(nonunique), k : singleton)",
                    "?x?x?xf32"),
            "#ta.format<(i, j, k) -> (i : dense, j : compressed(nonunique, aos), k : singleton)>");
  EXPECT_EQ(encoded("map = (i, j, k) -> (i : batch, j : dense, k : compressed)", "4x?x?xf32"),
            "#ta.format<(i, j, k) -> (i : batch, j : dense, k : compressed)>");
  EXPECT_EQ(encoded("map = (i, j) -> (i : dense, j : loose_compressed), posWidth = 32"),
            "#ta.format<(i, j) -> (i : dense, j : loose_compressed), pos = 32>");
}

TEST_F(EncodingTest, MapsOfBlocks) {
  EXPECT_EQ(encoded("map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, "
                    "i mod 2 : dense, j mod 3 : dense)"),
            "#ta.format<(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, "
            "i mod 2 : dense, j mod 3 : dense)>");
  EXPECT_EQ(
      encoded("map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])"),
      "#ta.format<(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured(2))>");
}

TEST_F(EncodingTest, WidthsAndValues) {
  EXPECT_EQ(encoded("map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 16"),
            "#ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 16>");
  EXPECT_EQ(encoded("map = (i) -> (i : compressed), implicitVal = 0 : i32", "?xi32"),
            "#ta.format<(i) -> (i : compressed), fill = 0 : i32>");
  EXPECT_EQ(encoded("map = (i) -> (i : compressed), explicitVal = 2.0 : f64", "?xf64"),
            "#ta.format<(i) -> (i : compressed)>");
}

TEST_F(EncodingTest, ASliceIsATensorOfItsOwn) {
  EXPECT_EQ(encoded("map = (i : #sparse_tensor<slice(1, 4, 1)>, j : #sparse_tensor<slice(1, 4, 2)>)"
                    " -> (i : dense, j : compressed)",
                    "4x4xf64"),
            "#ta.format<(i, j) -> (i : dense, j : compressed)>");
}

TEST_F(EncodingTest, IndicesHave64Bits) {
  auto type = RankedTensorType::get({4}, IndexType::get(&context));
  FailureOr<RankedTensorType> made =
      typeOf(type, [&] { return emitError(UnknownLoc::get(&context)); });
  ASSERT_TRUE(succeeded(made));
  EXPECT_TRUE(made->getElementType().isInteger(64));
}

//===------------------------------------------------------------------------------------------===//
// Old keys
//===------------------------------------------------------------------------------------------===//

TEST(OldEncoding, KeysOfThePaper) {
  EXPECT_EQ(withTodaysEncodings("#a = #sparse_tensor.encoding<{\n"
                                "dimLevelType = [ \"dense\", \"compressed\" ], // levels\n"
                                "dimOrdering = affine_map<(i,j) -> (j,i)>,\n"
                                "pointerBitWidth = 32,\nindexBitWidth = 8\n}>\n!b"),
            "#a = #sparse_tensor.encoding<{map = (i, j) -> (j : dense, i : compressed), "
            "posWidth = 32, crdWidth = 8\n\n\n\n\n}>\n!b");
}

TEST(OldEncoding, WithoutAnOrderingAndWithProperties) {
  EXPECT_EQ(withTodaysEncodings(
                "#sparse_tensor.encoding<{lvlTypes = [\"compressed-nu-no\", \"singleton\"]}>"),
            "#sparse_tensor.encoding<{map = (d0, d1) -> (d0 : compressed(nonunique, nonordered), "
            "d1 : singleton)}>");
}

TEST(OldEncoding, LooseLevelsWereCalledHi) {
  EXPECT_EQ(withTodaysEncodings("#sparse_tensor.encoding<{lvlTypes = [\"compressed_hi_nu\"]}>"),
            "#sparse_tensor.encoding<{map = (d0) -> (d0 : loose_compressed(nonunique))}>");
}

TEST(OldEncoding, TodaysSpellingAndMistakesStay) {
  for (const char *text :
       {"#sparse_tensor.encoding<{map = (i) -> (i : compressed), posWidth = 8}>",
        "#sparse_tensor.encoding<{dimLevelType = [\"dense\"", "#sparse_tensor.encoding<{",
        "#sparse_tensor.encoding<{dimLevelType = [\"dense\"], colour = 3}>",
        "#sparse_tensor.encoding<{dimLevelType = [\"dense\"], dimOrdering = affine_map<(i,j) -> "
        "(i,j)>}>"})
    EXPECT_EQ(withTodaysEncodings(text), text);
}

} // namespace
} // namespace strata::interop
