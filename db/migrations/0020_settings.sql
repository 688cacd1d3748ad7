CREATE TABLE "setting_change" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "setting_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"section" text NOT NULL,
	"values" jsonb NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"staff_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"withdraws" integer,
	CONSTRAINT "setting_change_withdraws_unique" UNIQUE("withdraws"),
	CONSTRAINT "setting_change_values" CHECK (jsonb_typeof("setting_change"."values") = 'object'),
	CONSTRAINT "setting_change_not_backdated" CHECK ("setting_change"."valid_from" >= "setting_change"."created_at" or "setting_change"."staff_id" is null)
);
--> statement-breakpoint
ALTER TABLE "setting_change" ADD CONSTRAINT "setting_change_withdraws_setting_change_id_fk" FOREIGN KEY ("withdraws") REFERENCES "public"."setting_change"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "setting_change_section" ON "setting_change" USING btree ("section");
--> statement-breakpoint
-- What was sold and promised when is never rewritten: a decision is followed by another one, or taken back by a row of its own.
CREATE FUNCTION "setting_refuse"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'settings are append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "setting_change_append_only" BEFORE UPDATE OR DELETE ON "setting_change" FOR EACH ROW EXECUTE FUNCTION "setting_refuse"();
--> statement-breakpoint
CREATE TRIGGER "setting_change_no_truncate" BEFORE TRUNCATE ON "setting_change" FOR EACH STATEMENT EXECUTE FUNCTION "setting_refuse"();
--> statement-breakpoint
ALTER TABLE "setting_change" ENABLE ALWAYS TRIGGER "setting_change_append_only";
--> statement-breakpoint
ALTER TABLE "setting_change" ENABLE ALWAYS TRIGGER "setting_change_no_truncate";
