# `ninja docs`: the reference pages that mlir-tblgen makes of the descriptions in the .td files.

add_custom_target(docs)

# strata_reference_page(FILE.td GENERATOR-OPTIONS PAGE.md), in build/docs/.
function(strata_reference_page file options page)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${file})
    return()
  endif()
  separate_arguments(options)
  set(output ${PROJECT_BINARY_DIR}/docs/${page})
  add_custom_command(OUTPUT ${output}
    COMMAND ${MLIR_TABLEGEN_EXE} ${options} ${PROJECT_SOURCE_DIR}/${file}
      -I ${PROJECT_SOURCE_DIR} "-I$<JOIN:${MLIR_INCLUDE_DIRS},;-I>" -o ${output}
    DEPENDS ${PROJECT_SOURCE_DIR}/${file}
    COMMAND_EXPAND_LISTS VERBATIM)
  string(MAKE_C_IDENTIFIER docs_${page} id)
  add_custom_target(${id} DEPENDS ${output})
  add_dependencies(docs ${id})
endfunction()

strata_reference_page(strata/dialect/ta/TaOps.td "-gen-dialect-doc -dialect=ta" Ta.md)
strata_reference_page(strata/dialect/ta/ParameterOp.td -gen-op-doc TaParameter.md)
strata_reference_page(strata/dialect/ta/ValuesOps.td -gen-op-doc TaValues.md)
strata_reference_page(strata/dialect/cin/CinOps.td "-gen-dialect-doc -dialect=cin" Cin.md)
strata_reference_page(strata/dialect/lvl/LvlOps.td "-gen-dialect-doc -dialect=lvl" Lvl.md)
strata_reference_page(strata/lower/Passes.td -gen-pass-doc Passes.md)
