-- Trusted since PostgreSQL 13: whoever may create tables may add it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "desk_claim" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "application_queue";--> statement-breakpoint
CREATE INDEX "desk_claim_staff" ON "desk_claim" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "application_newest" ON "application" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "application_name" ON "application" USING btree ("kind","last_name","first_name","id");--> statement-breakpoint
CREATE INDEX "application_search" ON "application" USING gin ((translate(
  lower(regexp_replace(normalize("first_name" || ' ' || "last_name" || ' ' || "email", NFKD), '[̀-ͯ]', '', 'g')), 'ıøłđ', 'iold')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "application_number_part" ON "application" USING gin ("number" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "application_queue" ON "application" USING btree ("kind",(case when "decided_at" is not null then 2 when "paid_at" is null then 1 else 0 end),(case when "decided_at" is not null then -(extract(epoch from ("decided_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    when "paid_at" is null then -(extract(epoch from ("created_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    else coalesce((extract(epoch from ("promised_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint, 9007199254740991) end),"id");