CREATE TABLE "insurance_application" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"passport_number" "bytea" NOT NULL,
	"passport_hash" "bytea" NOT NULL,
	"place_of_birth" text,
	"destination" text NOT NULL,
	"return_date" date NOT NULL,
	"trip_days" integer NOT NULL,
	"plan_days" integer NOT NULL,
	"cover_until" date NOT NULL,
	"is_minor" boolean NOT NULL,
	"terms_version" integer NOT NULL,
	"verify_hash" "bytea" NOT NULL,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "insurance_application_verify_hash_unique" UNIQUE("verify_hash")
);
--> statement-breakpoint
CREATE TABLE "insurance_draft" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"answers" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"application_number" text,
	CONSTRAINT "insurance_draft_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "insurance_photo" (
	"id" uuid PRIMARY KEY NOT NULL,
	"draft_id" uuid,
	"application_id" uuid,
	"position" smallint NOT NULL,
	"name" "bytea" NOT NULL,
	"file_id" text NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insurance_photo_file_id_unique" UNIQUE("file_id"),
	CONSTRAINT "insurance_photo_owner" CHECK (num_nonnulls("insurance_photo"."draft_id", "insurance_photo"."application_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "insurance_plan" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"days" integer NOT NULL,
	"price_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insurance_plan_days_unique" UNIQUE("days"),
	CONSTRAINT "insurance_plan_days" CHECK ("insurance_plan"."days" between 1 and 366),
	CONSTRAINT "insurance_plan_price" CHECK ("insurance_plan"."price_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "insurance_terms" (
	"version" serial PRIMARY KEY NOT NULL,
	"is_sample" boolean NOT NULL,
	"insurer" text,
	"licence" text,
	"assistance_phone" text,
	"covers" jsonb NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "insurance_application" ADD CONSTRAINT "insurance_application_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insurance_application" ADD CONSTRAINT "insurance_application_terms_version_insurance_terms_version_fk" FOREIGN KEY ("terms_version") REFERENCES "public"."insurance_terms"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insurance_photo" ADD CONSTRAINT "insurance_photo_draft_id_insurance_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."insurance_draft"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insurance_photo" ADD CONSTRAINT "insurance_photo_application_fk" FOREIGN KEY ("application_id") REFERENCES "public"."insurance_application"("application_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "insurance_application_passport" ON "insurance_application" USING btree ("passport_hash");--> statement-breakpoint
CREATE INDEX "insurance_draft_expiry" ON "insurance_draft" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "insurance_photo_draft" ON "insurance_photo" USING btree ("draft_id");--> statement-breakpoint
CREATE INDEX "insurance_photo_application" ON "insurance_photo" USING btree ("application_id");