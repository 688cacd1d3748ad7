-- What the simulated partners store, in test mode only. Fields of documents are found by the second index.
create table if not exists simulated_document (
  partner text not null,
  kind text not null,
  id text not null,
  body jsonb not null,
  primary key (partner, kind, id)
);
create index if not exists simulated_document_body on simulated_document
  using gin (body jsonb_path_ops) with (fastupdate = off);
