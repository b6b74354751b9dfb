-- What a project limits besides its compute units: calls a second by method and by address of the caller, transactions a minute by sender.
ALTER TABLE project
  ADD COLUMN limited_methods text[] NOT NULL DEFAULT '{}',
  ADD COLUMN method_limits integer[] NOT NULL DEFAULT '{}',
  ADD COLUMN per_address integer,
  ADD COLUMN per_sender integer,
  ADD CONSTRAINT project_method_limits CHECK (cardinality(limited_methods) = cardinality(method_limits));
