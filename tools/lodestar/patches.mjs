// Lodestar 1.5.1 as it is published cannot run its dev chain from Capella on; what must differ is changed while its files are loaded.

// The genesis that `lodestar dev` makes names this as the newest execution block; nothing else comes with it.
const GENESIS_BLOCK = `0x${'0b'.repeat(32)}`

/** By the end of a file's address: what stands there, and what is read instead. */
const PATCHES = {
  // The stand-in for an execution node knows no block of this genesis, and believes that Capella never comes.
  '/@chainsafe/lodestar/lib/options/beaconNodeOptions/execution.js': {
    'genesisBlockHash: ""': `genesisBlockHash: "${GENESIS_BLOCK}", capellaForkTimestamp: 0`,
  },
  // It also leaves out the withdrawals that it is told to put into a block.
  '/@lodestar/beacon-node/lib/execution/engine/mock.js': {
    'executionPayload.transactions = [];':
      'executionPayload.transactions = []; if (payloadAttributes.withdrawals) executionPayload.withdrawals = payloadAttributes.withdrawals;',
  },
  // Deposits are looked for once a minute, that is every four epochs here; and at least 64 blocks behind, as soon as one block is late.
  '/@lodestar/beacon-node/lib/eth1/eth1DepositDataTracker.js': {
    'AUTO_UPDATE_PERIOD_MS = 60 * 1000': 'AUTO_UPDATE_PERIOD_MS = 1000',
    'ETH_MIN_FOLLOW_DISTANCE = 64': 'ETH_MIN_FOLLOW_DISTANCE = 1',
  },
}

export async function load(url, context, next) {
  const loaded = await next(url, context)
  const patch = Object.entries(PATCHES).find(([file]) => url.endsWith(file))?.[1]
  if (!patch) return loaded
  let source = String(loaded.source)
  for (const [text, instead] of Object.entries(patch)) {
    if (!source.includes(text)) throw new Error(`Not the expected version of ${url}`)
    source = source.replace(text, instead)
  }
  return { ...loaded, source }
}
