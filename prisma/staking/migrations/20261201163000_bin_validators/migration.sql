-- A removed validator can be restored until then, and its key stays at its signer. The release before sets none: its keys are deleted at once.
ALTER TABLE validator ADD COLUMN restorable_until timestamptz(3);
