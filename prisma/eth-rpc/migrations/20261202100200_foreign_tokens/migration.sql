-- The identity provider of a project's owner, whose tokens let callers in where the project requires a token; null: only our own do.
ALTER TABLE project
  ADD COLUMN token_jwks_url text,
  ADD COLUMN token_issuer text,
  ADD COLUMN token_audience text,
  -- Calls a second of each subject of such tokens.
  ADD COLUMN per_caller integer,
  ADD CONSTRAINT project_tokens CHECK (num_nulls(token_jwks_url, token_issuer, token_audience) IN (0, 3));
