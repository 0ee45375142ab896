"""Installs a PostgreSQL server for the tests where there is none.

Debian's package is installed when run as root on a Debian. A machine where this does not work gets an error that names
the package to install: tests on PostgreSQL are never skipped.
"""

import sys

from tests.installing import ensured, install_packages
from tools.project.demo.postgresql import ADVICE, find_postgresql

if __name__ == "__main__":
    absent = f"no PostgreSQL server found and none could be installed. {ADVICE}"
    sys.exit(ensured("PostgreSQL", find_postgresql, lambda: install_packages("postgresql"), absent))
