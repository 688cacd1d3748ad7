-- Processes keep rows of these tables in memory (`platform/invalidation/topics.ts`) and listen on this channel.
CREATE FUNCTION "notify_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_catalog.pg_notify('lale_invalidate', TG_TABLE_NAME);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "setting_change_notify" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "setting_change" FOR EACH STATEMENT EXECUTE FUNCTION "notify_changed"();
--> statement-breakpoint
CREATE TRIGGER "country_notify" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "country" FOR EACH STATEMENT EXECUTE FUNCTION "notify_changed"();
--> statement-breakpoint
CREATE TRIGGER "payment_partner_notify" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "payment_partner" FOR EACH STATEMENT EXECUTE FUNCTION "notify_changed"();
