"""Reports: a result as an HTML page with pictures, numbers and the arm."""
