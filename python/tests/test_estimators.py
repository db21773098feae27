"""scikit-learn with tensors, where it is installed: what it checks, and estimators that compute with
the array API."""

import os
import unittest

import numpy

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # which estimators ask for, before SciPy is imported

import strata as st  # noqa: E402
from drawing import TestCase  # noqa: E402

try:
    import sklearn
    from sklearn.decomposition import PCA
    from sklearn.linear_model import LinearRegression
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.utils import check_array
except ImportError:
    sklearn = None


@unittest.skipUnless(sklearn, "no scikit-learn")
class EstimatorsTest(TestCase):
    def test_checked_arrays(self):
        x = self.draw((5, 3), density=1)
        numpy.testing.assert_array_equal(check_array(st.asarray(x)), x)
        sparse = st.asarray(x, format="CSR")
        with self.assertRaisesRegex(TypeError, "todense|to_scipy"):
            check_array(sparse)
        self.assertEqual(check_array(sparse.to_scipy(), accept_sparse=True).shape, (5, 3))

    def test_arrays_become_those_of_numpy(self):
        x, y = self.draw((6, 3), density=1) + numpy.eye(6, 3), numpy.arange(6.0)
        found = LinearRegression().fit(st.asarray(x), y).coef_
        numpy.testing.assert_allclose(found, LinearRegression().fit(x, y).coef_)

    def test_estimators_compute_with_tensors(self):
        x = self.draw((6, 3), density=1) + numpy.eye(6, 3)
        with sklearn.config_context(array_api_dispatch=True):
            for make in (MinMaxScaler, lambda: PCA(n_components=2, svd_solver="full")):
                try:
                    found = make().fit(st.asarray(x)).transform(st.asarray(x))
                except (ImportError, RuntimeError) as error:  # of versions with other requirements
                    self.skipTest(str(error))
                self.assertIsInstance(found, st.Tensor)
                numpy.testing.assert_allclose(
                    abs(found.todense()), abs(make().fit(x).transform(x)), atol=1e-9
                )


if __name__ == "__main__":
    unittest.main()
