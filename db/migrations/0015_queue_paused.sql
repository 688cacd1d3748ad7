DROP INDEX "application_queue";--> statement-breakpoint
CREATE INDEX "application_queue" ON "application" USING btree ("kind",(case when "decided_at" is not null then 3 when "paid_at" is null then 2 when "paused_at" is not null then 1 else 0 end),(case when "decided_at" is not null then -(extract(epoch from ("decided_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    when "paid_at" is null then -(extract(epoch from ("created_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    when "paused_at" is not null then (extract(epoch from ("paused_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    else coalesce((extract(epoch from ("promised_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint, 9007199254740991) end),"id");