import sys

from groundedgen.cli import main

sys.exit(main())
