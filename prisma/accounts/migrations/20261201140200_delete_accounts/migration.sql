-- Accounts that are to be deleted, or were: then the id stays, so that it is never used again.
CREATE TABLE account_deletion (
  user_id      text           PRIMARY KEY,
  requested_at timestamptz(3) NOT NULL,
  due_at       timestamptz(3) NOT NULL,
  closed_at    timestamptz(3),
  deleted_at   timestamptz(3),
  announced_at timestamptz(3)
);
CREATE INDEX account_deletion_due ON account_deletion (due_at) WHERE deleted_at IS NULL;
CREATE INDEX account_deletion_announced ON account_deletion (announced_at) WHERE deleted_at IS NOT NULL;
