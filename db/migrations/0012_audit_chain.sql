CREATE TABLE "audit_seal" (
	"day" date PRIMARY KEY NOT NULL,
	"entries" integer NOT NULL,
	"rows" text NOT NULL,
	"seal" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_entry_newest" ON "audit_entry" USING btree ("at","id");--> statement-breakpoint
-- The audit trail is append-only, for the tables' owner too. Rows leave in one way: whole, sealed, and a year old.
CREATE FUNCTION "audit_refuse"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'audit_entry' THEN
    IF current_setting('lale.audit_forget', true) = 'on' AND OLD.at < now() - interval '1 year'
      AND EXISTS (SELECT 1 FROM audit_seal WHERE day = (OLD.at AT TIME ZONE 'UTC')::date) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
--> statement-breakpoint
-- Runs with the owner's rights, so that a service whose role may only read and insert can still keep the retention.
CREATE FUNCTION "audit_forget"(before date) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  gone bigint;
BEGIN
  PERFORM set_config('lale.audit_forget', 'on', true);
  DELETE FROM audit_entry e
    WHERE e.at < least(before::timestamp, date_trunc('day', now() AT TIME ZONE 'UTC') - interval '1 year') AT TIME ZONE 'UTC'
      AND EXISTS (SELECT 1 FROM audit_seal s WHERE s.day = (e.at AT TIME ZONE 'UTC')::date);
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('lale.audit_forget', 'off', true);
  RETURN gone;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "audit_refuse"();
--> statement-breakpoint
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "audit_refuse"();
--> statement-breakpoint
CREATE TRIGGER "audit_seal_append_only" BEFORE UPDATE OR DELETE ON "audit_seal" FOR EACH ROW EXECUTE FUNCTION "audit_refuse"();
--> statement-breakpoint
CREATE TRIGGER "audit_seal_no_truncate" BEFORE TRUNCATE ON "audit_seal" FOR EACH STATEMENT EXECUTE FUNCTION "audit_refuse"();
--> statement-breakpoint
ALTER TABLE "audit_entry" ENABLE ALWAYS TRIGGER "audit_entry_append_only";
--> statement-breakpoint
ALTER TABLE "audit_entry" ENABLE ALWAYS TRIGGER "audit_entry_no_truncate";
--> statement-breakpoint
ALTER TABLE "audit_seal" ENABLE ALWAYS TRIGGER "audit_seal_append_only";
--> statement-breakpoint
ALTER TABLE "audit_seal" ENABLE ALWAYS TRIGGER "audit_seal_no_truncate";
