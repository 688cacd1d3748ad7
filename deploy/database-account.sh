#!/bin/sh
# Runs once, when the database is made: the account of the service, which owns nothing (docs/operations.md).
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$SERVICE_PASSWORD" <<'SQL'
create role lale login password :'password';
SQL
