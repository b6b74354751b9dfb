// What an owner does with a validator, over HTTP; and what Lodestar says of it, asked behind the service's back.
import assert from 'node:assert/strict'
import { deposit, until } from './nodes.mjs'
import { answerOf } from './stage.mjs'

const OWNER = `0x${'a1'.repeat(20)}`
const FEES = `0x${'fe'.repeat(20)}`
const OTHER_FEES = `0x${'fd'.repeat(20)}`
const LEAST_PAID_GWEI = 31_900_000_000n
const PATIENCE_MS = 600_000

export async function live({ anvil, beacon, client, signIn }, step) {
  const owner = await signIn()
  const { pubkey, depositData } = await owner('POST', '/dev/validators', { withdrawalAddress: OWNER, feeAddress: FEES })
  const path = `/dev/validators/${pubkey}`
  const shown = () => owner('GET', path)
  const becomes = (phase) => until(`it is ${phase}`, async () => (await shown()).phase === phase || undefined, PATIENCE_MS)
  const proposes = (fees) => until(`a block for ${fees}`, async () => (await feesOf(beacon, await shown())).includes(fees) || undefined)

  await step('Created: the validator client has the key and the fee address', async () => {
    await becomes('ready')
    assert.deepEqual(await keysOf(client), [`0x${pubkey}`])
    assert.equal(await feeRecipient(client, pubkey), FEES)
  })
  await step('Deposited: 32 ETH are seen at the contract', async () => {
    await deposit(anvil, depositData)
    await becomes('deposited')
  })
  await step('Queued: the chain has taken the deposit', () => becomes('queued'))
  await step('Active', () => becomes('active'))
  await step('Proposed a block for its fee address', () => proposes(FEES))
  await step('Proposed a block for another fee address', async () => {
    await owner('PUT', path, { feeAddress: OTHER_FEES })
    assert.equal(await feeRecipient(client, pubkey), OTHER_FEES)
    await proposes(OTHER_FEES)
  })
  await step('Asked to exit, twice: the chain shows it', async () => {
    for (const _ of 'ab') await owner('POST', `${path}/validatorExit`)
    await becomes('exiting')
  })
  await step('Exited', () => becomes('exited'))
  await step('Withdrawn: everything is paid to its owner', async () => {
    await becomes('withdrawn')
    assert.deepEqual([(await shown()).status, (await shown()).balance], ['withdrawn', '0'])
    assert((await paidTo(beacon, OWNER)) > LEAST_PAID_GWEI)
  })
}

async function keysOf(client) {
  const { data } = await keymanager(client, 'keystores')
  return data.map(({ validating_pubkey }) => validating_pubkey)
}

async function feeRecipient(client, pubkey) {
  const { data } = await keymanager(client, `validator/0x${pubkey}/feerecipient`)
  return data.ethaddress
}

function keymanager({ url, token }, path) {
  return answerOf(`${url}/eth/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })
}

/** The fee addresses of the blocks that it has proposed. */
async function feesOf(beacon, { index }) {
  const own = (await blocks(beacon)).filter(({ proposer_index }) => proposer_index === String(index))
  return own.map(({ body }) => body.execution_payload.fee_recipient.toLowerCase())
}

async function paidTo(beacon, owner) {
  const withdrawals = (await blocks(beacon)).flatMap(({ body }) => body.execution_payload.withdrawals)
  return withdrawals.filter(({ address }) => address === owner).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

async function blocks({ url }) {
  const { data } = await answerOf(`${url}/eth/v1/node/syncing`)
  const found = []
  for (let slot = 1; slot <= Number(data.head_slot); slot++) {
    const answer = await fetch(`${url}/eth/v2/beacon/blocks/${slot}`)
    if (answer.ok) found.push((await answer.json()).data.message)
  }
  return found
}
