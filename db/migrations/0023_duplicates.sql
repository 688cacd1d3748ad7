CREATE TABLE "application_earlier_passport" (
	"application_id" uuid NOT NULL,
	"passport_hash" "bytea" NOT NULL,
	CONSTRAINT "application_earlier_passport_application_id_passport_hash_pk" PRIMARY KEY("application_id","passport_hash")
);
--> statement-breakpoint
CREATE TABLE "desk_dismissal" (
	"one_id" uuid NOT NULL,
	"other_id" uuid NOT NULL,
	"facts" "bytea" NOT NULL,
	"why" "bytea" NOT NULL,
	"staff_id" uuid NOT NULL,
	"dismissed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "desk_dismissal_one_id_other_id_facts_pk" PRIMARY KEY("one_id","other_id","facts"),
	CONSTRAINT "desk_dismissal_order" CHECK ("desk_dismissal"."one_id" < "desk_dismissal"."other_id")
);
--> statement-breakpoint
ALTER TABLE "application_earlier_passport" ADD CONSTRAINT "application_earlier_passport_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_dismissal" ADD CONSTRAINT "desk_dismissal_one_id_application_id_fk" FOREIGN KEY ("one_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_dismissal" ADD CONSTRAINT "desk_dismissal_other_id_application_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "application_earlier_passport_hash" ON "application_earlier_passport" USING btree ("passport_hash");--> statement-breakpoint
CREATE INDEX "desk_dismissal_other" ON "desk_dismissal" USING btree ("other_id");--> statement-breakpoint
CREATE INDEX "application_email_start" ON "application" USING btree (lower("email"),"starts_on");