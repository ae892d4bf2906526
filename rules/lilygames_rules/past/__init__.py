"""Earlier versions of rules, for tables that started under them (`/help maker-version`)."""
