"""Files of reduced bodies, read and written: matrix_import.py begins."""
