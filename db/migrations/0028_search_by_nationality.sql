CREATE EXTENSION IF NOT EXISTS btree_gin;--> statement-breakpoint
DROP INDEX "application_search";--> statement-breakpoint
CREATE INDEX "application_search_other" ON "application" USING gin (encode(decode(replace("search_text", '\', ''), 'escape'), 'hex') gin_trgm_ops) WHERE "application"."search_text" ~ '[^ -~]';--> statement-breakpoint
CREATE INDEX "application_search" ON "application" USING gin ("country_code","service","search_text" gin_trgm_ops);