DROP INDEX "application_queue";--> statement-breakpoint
DROP INDEX "application_search";--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "search_text" text GENERATED ALWAYS AS (translate(
  lower(regexp_replace(normalize(' ' || "application"."first_name" || ' ' || "application"."last_name" || ' ' || "application"."email", NFKD), '[̀-ͯ]', '', 'g')), 'ıøłđ', 'iold')) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "application_country" ON "application" USING btree ("kind","country_code",(case when "decided_at" is not null then case when "paid_at" is null then 4 else 3 end
    when "paid_at" is null then 2 when "paused_at" is not null then 1 else 0 end),(case when "decided_at" is not null or "paid_at" is null then -(extract(epoch from ("created_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    when "paused_at" is not null then (extract(epoch from ("paused_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    else coalesce((extract(epoch from ("promised_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint, 9007199254740991) end),"id");--> statement-breakpoint
CREATE INDEX "application_service" ON "application" USING btree ("kind","service",(case when "decided_at" is not null then case when "paid_at" is null then 4 else 3 end
    when "paid_at" is null then 2 when "paused_at" is not null then 1 else 0 end),(case when "decided_at" is not null or "paid_at" is null then -(extract(epoch from ("created_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    when "paused_at" is not null then (extract(epoch from ("paused_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    else coalesce((extract(epoch from ("promised_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint, 9007199254740991) end),"id");--> statement-breakpoint
CREATE INDEX "application_queue" ON "application" USING btree ("kind",(case when "decided_at" is not null then case when "paid_at" is null then 4 else 3 end
    when "paid_at" is null then 2 when "paused_at" is not null then 1 else 0 end),(case when "decided_at" is not null or "paid_at" is null then -(extract(epoch from ("created_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    when "paused_at" is not null then (extract(epoch from ("paused_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    else coalesce((extract(epoch from ("promised_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint, 9007199254740991) end),"id");--> statement-breakpoint
CREATE INDEX "application_search" ON "application" USING gin ("search_text" gin_trgm_ops);