-- That a second person approves a request, or is asked to. Times say what state it is in.
CREATE TABLE approval (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  permission text NOT NULL,
  method text NOT NULL,
  -- With the query, as the ingress gets it.
  path text NOT NULL,
  -- Canonical JSON; null without one.
  body text,
  requested_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  decision text CHECK (decision IN ('approved', 'refused')),
  decided_by text,
  decided_at timestamptz(3),
  -- The revocation epoch of who decided.
  decider_epoch integer,
  -- When its token was first given out.
  collected_at timestamptz(3),
  -- When it was used, of a request to accounts.
  used_at timestamptz(3),
  CHECK ((decision IS NULL) = (decided_by IS NULL) AND (decision IS NULL) = (decided_at IS NULL) AND (decision IS NULL) = (decider_epoch IS NULL)),
  -- Nobody approves what they ask for themselves.
  CHECK (decision IS DISTINCT FROM 'approved' OR decided_by <> requested_by)
);
CREATE INDEX approval_organization ON approval (organization_id, created_at DESC, id DESC);
CREATE INDEX approval_created ON approval (created_at);
