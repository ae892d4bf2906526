"""Rules as they once were, with the engines they used: tables that began with them go on (`/help maker-version`)."""
