"""`python -m lilygames` is the command line."""

from lilygames.cli import main

if __name__ == "__main__":
    main()
