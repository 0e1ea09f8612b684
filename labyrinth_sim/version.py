"""The version of the package, said once."""

VERSION = "0.2.0"
