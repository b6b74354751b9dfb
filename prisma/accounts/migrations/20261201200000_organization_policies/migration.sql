-- What an organization demands of its members. The release before knows no policies: to it, nothing is demanded.
ALTER TABLE organization
  ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false,
  -- The permissions that need the approval of a second person.
  ADD COLUMN approvals text[] NOT NULL DEFAULT '{}';
