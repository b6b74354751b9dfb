import { FakeUpstream } from './fake-upstream.js'

const HOODI = {
  'GET /eth/v1/beacon/genesis': {
    body: {
      data: {
        genesis_time: '1742213400',
        genesis_validators_root: '0x212f13fc4df078b6cb7db228f1c8307566dcecf900867401a92023d7ba99cb5f',
        // Some clients name the fork they started with.
        genesis_fork_version: '0x40000910',
      },
    },
  },
  'GET /eth/v1/config/spec': {
    body: {
      data: {
        GENESIS_FORK_VERSION: '0x10000910',
        CAPELLA_FORK_VERSION: '0x40000910',
        SLOTS_PER_EPOCH: '32',
        SECONDS_PER_SLOT: '12',
        SHARD_COMMITTEE_PERIOD: '256',
        BLOB_SCHEDULE: [],
      },
    },
  },
  'GET /eth/v1/config/deposit_contract': {
    body: { data: { chain_id: '560048', address: '0x00000000219ab540356cBB839Cbe05303d7705Fa' } },
  },
  'GET /eth/v1/node/syncing': { body: { data: { head_slot: '100', sync_distance: '0', is_syncing: false, is_optimistic: false } } },
  'GET /eth/v1/beacon/states/head/finality_checkpoints': { body: { data: { finalized: { epoch: '1', root: `0x${'00'.repeat(32)}` } } } },
}

/** A node that says it is of hoodi, and nothing else that a test does not add. */
export function fakeBeacon(): Promise<FakeUpstream> {
  return FakeUpstream.start(HOODI)
}
