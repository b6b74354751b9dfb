import { eventually } from '@trestle/testing/eventually'
import { type StakingUnderTest, startStakingUnderTest } from './staking-under-test.js'

// The lives of validators from their creation to their last payment, over HTTP, on a real chain whose time the test makes.

const GWEI = 1_000_000_000n
const OWNER = `0x${'a1'.repeat(20)}`
const NEW_FEES = `0x${'fe'.repeat(20)}`

let staking: StakingUnderTest
beforeAll(async () => {
  staking = await startStakingUnderTest()
})
afterAll(() => staking.stop())

it('a validator is created, deposited, activated, given another fee address, exited and withdrawn', async () => {
  const owner = staking.user()
  const { body: created } = await owner('POST', '/dev/validators', { withdrawalAddress: OWNER })
  const path = `/dev/validators/${created.pubkey}`
  const shown = async () => (await owner('GET', path)).body
  await eventually(async () => (await shown()).phase === 'ready' || undefined, 'ready for the deposit')
  expect((await shown()).depositData).toBe(created.depositData)

  await staking.deposit(created.depositData)
  await eventually(async () => (await shown()).phase === 'deposited' || undefined, 'the deposit is seen')
  expect((await shown()).depositData).toBeNull()
  await grow(async () => (await shown()).status === 'active')
  expect(await shown()).toMatchObject({ phase: 'active', effectiveBalance: String(32n * GWEI * GWEI), activatedAt: expect.any(String) })

  expect((await owner('PUT', path, { feeAddress: NEW_FEES })).status).toBe(204)
  const { index } = await shown()
  const changedAt = await headSlot()
  await grow(async () => (await feeRecipients(index, changedAt)).length > 0)
  expect(new Set(await feeRecipients(index, changedAt))).toEqual(new Set([NEW_FEES]))

  expect((await owner('POST', `${path}/validatorExit`)).status).toBe(204)
  expect((await owner('POST', `${path}/validatorExit`, {})).status).toBe(204)
  expect((await shown()).status).toBe('exiting')
  await grow(async () => (await shown()).phase === 'exiting')
  await grow(async () => (await shown()).status === 'exited')
  await grow(async () => (await shown()).status === 'withdrawn')
  expect(await shown()).toMatchObject({ balance: '0', withdrawnAt: expect.any(String), note: null })
  const paid = BigInt(await staking.anvil.rpc.call<string>('eth_getBalance', OWNER, 'latest'))
  expect(paid).toBeGreaterThan(31n * GWEI * GWEI)
  const { rows } = await staking.sql.query('SELECT count(*)::int AS exits FROM signed_exit')
  expect(rows).toEqual([{ exits: 1 }])
  expect(await staking.dev('double-signers')).toEqual([])
}, 120_000)

/** Epoch by epoch, with the service looking on, until it is so. */
async function grow(isSo: () => Promise<boolean>, epochs = 90): Promise<void> {
  for (let epoch = 0; epoch < epochs; epoch++) {
    if (await isSo()) return
    await staking.advance({ epochs: 1 })
    await staking.observed()
  }
  throw new Error(`not within ${epochs} epochs`)
}

async function headSlot(): Promise<number> {
  const { slot } = (await staking.dev('status')) as { slot: number }
  return slot
}

/** Of the blocks that it has proposed since. */
async function feeRecipients(index: number, since: number): Promise<string[]> {
  type Block = { data: { message: { proposer_index: string; body: { execution_payload: { fee_recipient: string } } } } }
  const slots = Array.from({ length: (await headSlot()) - since }, (_, i) => since + 1 + i)
  const answers = await Promise.all(slots.map((slot) => fetch(`${staking.beacon.url}/eth/v2/beacon/blocks/${slot}`)))
  const blocks = await Promise.all(answers.filter(({ ok }) => ok).map(async (answer) => ((await answer.json()) as Block).data.message))
  const own = blocks.filter(({ proposer_index }) => proposer_index === String(index))
  return own.map(({ body }) => body.execution_payload.fee_recipient.toLowerCase())
}
