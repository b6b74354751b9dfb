import { jest } from '@jest/globals'
import { Signal } from '@trestle/runtime/signal'
import { eventually } from '@trestle/testing/eventually'
import { statusText } from '../src/status/status-text.js'
import { startDeployment, type TestDeployment } from './deployment.js'

let deployment: TestDeployment

beforeAll(async () => {
  deployment = await startDeployment({ coin: 'ltc' })
  await deployment.chain.mine(120)
})

afterAll(() => deployment.stop())

it('reports that the index has every block of the node', async () => {
  const sync = await synced()
  expect(sync).toEqual({
    status: 'finished',
    blockChainHeight: 120,
    syncPercentage: 100,
    height: 120,
    error: null,
    type: 'trestle btc-connect',
    phase: 'tip',
    blocksLeft: 0,
    blocksPerSecond: expect.anything(),
    secondsLeft: 0,
    note: null,
  })
  expect(statusText('ltc', sync)).toMatch(/^deployment ltc\nstatus {5}finished, 100 %\nphase {6}tip/)
})

it('reports the same as metrics', async () => {
  const metrics = await (await fetch(`${deployment.service.internalUrl}/metrics`)).text()
  for (const line of ['index_height 120', 'index_node_height 120', 'index_blocks_left 0', 'index_failing 0'])
    expect(metrics).toContain(`\n${line}\n`)
})

it('shows a payment a moment after it was sent, and its block a moment after that', async () => {
  const address = await deployment.chain.rpc<string>('getnewaddress')
  const txid = await deployment.chain.rpc<string>('sendtoaddress', address, 1.25)
  await eventually(
    async () => (await deployment.get(`/addr/${address}/unconfirmedBalance`)).body === 125_000_000 || undefined,
    'it is seen',
  )
  expect((await deployment.get(`/tx/${txid}`)).body).toMatchObject({ txid, confirmations: 0, blockheight: -1 })
  await deployment.chain.mine(1)
  await eventually(async () => (await deployment.get(`/addr/${address}/balance`)).body === 125_000_000 || undefined, 'it is confirmed')
  expect((await deployment.get(`/addr/${address}/unconfirmedBalance`)).body).toBe(0)
  const { rows } = await deployment.sql.query('SELECT FROM mempool_tx')
  expect(rows).toHaveLength(0)
})

it('shows a transaction sent through it as soon as the node publishes it', async () => {
  const { chain } = deployment
  const byItselfAgain = await onlyWhenTold()
  const [coin] = await chain.rpc<{ txid: string; vout: number; amount: number }[]>('listunspent')
  const outputs = [{ [await chain.rpc<string>('getnewaddress')]: Number((coin!.amount - 0.001).toFixed(8)) }]
  const { hex } = await chain.rpc<{ hex: string }>('signrawtransactionwithwallet', await chain.rpc('createrawtransaction', [coin], outputs))
  const { body } = await deployment.post('/tx/send', { rawtx: hex })
  await eventually(async () => (await deployment.get(`/tx/${body.txid}`)).status === 200 || undefined, 'it is shown')
  byItselfAgain()
})

it('reports that the node is unreachable, keeps serving, and recovers by itself', async () => {
  await deployment.chain.kill()
  const away = await eventually(async () => {
    const { body } = await deployment.get('/sync')
    return body.status === 'error' ? body : undefined
  }, 'the node is missed')
  expect(away.error).toMatch(/^The node cannot be reached/)
  expect((await deployment.get('/blocks')).status).toBe(200)
  await deployment.chain.start()
  await deployment.chain.mine(2)
  expect((await synced()).height).toBe(await deployment.chain.rpc('getblockcount'))
})

it('lets another replica write when this one stops', async () => {
  const other = await deployment.replica()
  await deployment.service.stop()
  await deployment.chain.mine(1)
  const height = await deployment.chain.rpc<number>('getblockcount')
  await eventually(async () => {
    const { rows } = await deployment.sql.query('SELECT max(height) AS height FROM block')
    return rows[0].height === height || undefined
  }, 'the other one writes')
  const txid = await deployment.chain.rpc<string>('sendtoaddress', await deployment.chain.rpc('getnewaddress'), 1)
  await eventually(async () => {
    const { rows } = await deployment.sql.query('SELECT FROM mempool_tx WHERE txid = $1', [Buffer.from(txid, 'hex')])
    return rows.length === 1 || undefined
  }, 'the other one follows the mempool')
  await other.stop()
})

/** Whoever waits for a bell, and all do by now, is woken by nothing else until the end of this. */
async function onlyWhenTold(): Promise<() => void> {
  const { wait } = Signal.prototype
  const waiting = jest.spyOn(Signal.prototype, 'wait').mockImplementation(function (this: Signal, _, signal) {
    return wait.call(this, 2 ** 31 - 1, signal)
  })
  // Those of the index, the mempool and the feed.
  await eventually(() => new Set(waiting.mock.contexts).size === 3 || undefined, 'all have looked for the last time')
  return () => {
    const bells = waiting.mock.contexts as Signal[]
    waiting.mockRestore()
    for (const bell of bells) bell.notify()
  }
}

function synced() {
  return eventually(async () => {
    const { body } = await deployment.get('/sync')
    return body.status === 'finished' && body.height === (await deployment.chain.rpc('getblockcount')) ? body : undefined
  }, 'the index has it all')
}
