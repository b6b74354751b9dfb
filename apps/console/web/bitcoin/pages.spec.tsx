import type { InsightTransaction } from '@trestle/contracts/btc-connect/transactions'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { AddressPage } from './address-page.js'
import { ArrivalsPanel } from './arrivals-panel.js'
import { BlockPage } from './block-page.js'
import { FeesPanel } from './fees-panel.js'
import { MempoolPanel } from './mempool-panel.js'
import { StatusPanel } from './status-panel.js'
import { TransactionPage } from './transaction-page.js'

const context = 'ltc'
const ID = 'ab'.repeat(32)
const BLOCK = '00'.repeat(32)

const TRANSACTION = partial<InsightTransaction>({
  txid: ID,
  version: 2,
  locktime: 0,
  blockhash: BLOCK,
  blockheight: 1234,
  confirmations: 3,
  time: 1_767_225_600,
  isCoinBase: false,
  valueIn: 1.5,
  valueOut: 1.4999,
  fees: 0.0001,
  size: 200,
  vin: [
    { txid: 'cd'.repeat(32), vout: 1, sequence: 0, n: 0, addr: 'ltc1sender', valueSat: 150_000_000, value: 1.5, doubleSpentTxID: null },
  ],
  vout: [
    {
      value: '1.00000000',
      n: 0,
      scriptPubKey: { hex: '', addresses: ['ltc1receiver'], type: 'witness' },
      spentTxId: 'ef'.repeat(32),
      spentHeight: -1,
    },
    { value: '0.49990000', n: 1, scriptPubKey: { hex: '', addresses: ['ltc1change'], type: 'witness' }, spentTxId: null },
    { value: '0.00000000', n: 2, scriptPubKey: { hex: '', addresses: [], type: 'nulldata' } },
  ],
})

const transactionPage = (change: object = {}) =>
  rendered(<TransactionPage />, {
    context,
    at: `/tx/${ID}`,
    route: '/tx/:id',
    answers: [[['bitcoin', 'transaction', 'ltc', ID], { ...TRANSACTION, ...change }]],
  })

describe(TransactionPage, () => {
  it('says how deep the transaction is, and links its block', () => {
    const page = transactionPage()
    expect(page.text).toContain('3 confirmations')
    expect(page.links['1,234']).toBe(`/app/bitcoin/ltc/block/${BLOCK}`)
  })

  it.each([
    [0, 'Unconfirmed'],
    [1, '1 confirmation'],
    [2000, '2,000 confirmations'],
  ])('with %i confirmations says "%s"', (confirmations, expected) => {
    expect(transactionPage({ confirmations }).text).toContain(expected)
  })

  it('says where an unconfirmed one is and since when', () => {
    const page = transactionPage({ confirmations: 0, blockhash: undefined, blockheight: -1 })
    expect(page.text).toContain('Not in a block yet')
    expect(page.all('dt')).toContain('First seen')
  })

  it('shows amounts exactly, with the fee rate', () => {
    const facts = transactionPage()
    expect(facts.all('dd').slice(3, 7)).toEqual(['1.5 LTC', '1.4999 LTC', '0.0001 LTC', '50 sat/B'])
  })

  it('links senders, receivers and spending transactions', () => {
    const { links } = transactionPage()
    expect(links['ltc1sender']).toBe('/app/bitcoin/ltc/address/ltc1sender')
    expect(links['ltc1receiver']).toBe('/app/bitcoin/ltc/address/ltc1receiver')
    expect(links['Spent, unconfirmed: view transaction']).toBe(`/app/bitcoin/ltc/tx/${'ef'.repeat(32)}`)
  })

  it('explains outputs without an address', () => {
    expect(transactionPage().text).toContain('Data, no coins (OP_RETURN)')
  })

  it('explains new coins', () => {
    const page = transactionPage({ vin: [{ coinbase: '', sequence: 0, n: 0 }], valueIn: undefined, fees: undefined, isCoinBase: true })
    expect(page.text).toContain('New coins: block reward and fees')
    expect(page.text).toContain('None or unknown')
  })

  it('warns of a double spend until one of the two is confirmed', () => {
    const vin = [{ ...TRANSACTION.vin[0], doubleSpentTxID: '99'.repeat(32) }]
    expect(transactionPage({ vin, confirmations: 0 }).text).toContain('Only one of them can be confirmed')
    expect(transactionPage({ vin }).text).toContain('tried to spend the same coins')
    expect(transactionPage().text).not.toContain('Double spend')
  })
})

describe(BlockPage, () => {
  const block = {
    hash: BLOCK,
    height: 7,
    confirmations: 2,
    isMainChain: true,
    time: 1_767_225_600,
    size: 1000,
    reward: 12.5,
    difficulty: 1,
    version: 0x20000000,
    nonce: 1,
    bits: '207fffff',
    merkleroot: ID,
    chainwork: ID,
    poolInfo: {},
    tx: [ID],
    previousblockhash: '11'.repeat(32),
  }
  const blockPage = (change: object = {}) =>
    rendered(<BlockPage />, {
      context,
      at: `/block/${BLOCK}`,
      route: '/block/:hash',
      answers: [[['bitcoin', 'block', 'ltc', BLOCK], { ...block, ...change }]],
    })

  it('leads to its neighbours, as far as there are any', () => {
    expect(blockPage().links).toMatchObject({ 'Previous block': `/app/bitcoin/ltc/block/${'11'.repeat(32)}` })
    expect(blockPage().links).not.toHaveProperty('Next block')
    expect(blockPage({ nextblockhash: '22'.repeat(32) }).links['Next block']).toBe(`/app/bitcoin/ltc/block/${'22'.repeat(32)}`)
  })

  it('warns that a replaced block does not count', () => {
    const page = blockPage({ isMainChain: false })
    expect(page.text).toContain('no longer part of the chain')
    expect(page.text).toContain('None: not on the best chain')
    expect(blockPage().text).not.toContain('no longer part of the chain')
  })

  it('counts its transactions in words', () => {
    expect(blockPage().all('h2')).toContain('1 transaction')
    expect(blockPage({ tx: Array.from({ length: 1200 }, () => ID) }).all('h2')).toContain('1,200 transactions')
  })

  it('links the blocks of its UTC day', () => {
    expect(blockPage().links['Blocks of this day']).toBe('/app/bitcoin/ltc/blocks?date=2026-01-01')
  })

  it('writes the version as the hexadecimal number it is', () => {
    expect(blockPage({ version: -1 }).text).toContain('0xffffffff')
    expect(blockPage({ version: 1 }).text).toContain('0x00000001')
  })
})

describe(AddressPage, () => {
  const summary = {
    addrStr: 'ltc1me',
    balanceSat: 150_000_000,
    unconfirmedBalanceSat: -50_000_000,
    totalReceivedSat: 250_000_000,
    totalSentSat: 100_000_000,
    txApperances: 1200,
    unconfirmedTxApperances: 2,
  }
  const page = rendered(<AddressPage />, {
    context,
    at: '/address/ltc1me',
    route: '/address/:address/:tab?',
    answers: [[['bitcoin', 'address', 'ltc', 'ltc1me'], summary]],
  })

  it('shows the balance, and what unconfirmed transactions change', () => {
    expect(page.all('dd')).toEqual(['1.5 LTC', '-0.5 LTC', '1,200, 2 unconfirmed', '2.5 LTC', '1 LTC'])
  })

  it('has a tab for the history and one for what can be spent', () => {
    expect(page.has(/role="tab"[^>]*aria-selected="true"[^>]*>.*?History/)).toBe(true)
    expect(page.text).toContain('Unspent outputs')
  })
})

describe(StatusPanel, () => {
  const status = (sync: object, peer?: object, isLive = true) =>
    rendered(<StatusPanel isLive={isLive} />, {
      context,
      answers: [
        [
          ['bitcoin', 'sync', 'ltc'],
          { status: 'finished', height: 1234, syncPercentage: 100, blocksLeft: 0, secondsLeft: null, error: null, note: null, ...sync },
        ],
        ...(peer ? [[['bitcoin', 'peer', 'ltc'], peer] as const] : []),
      ],
    })

  it('shows height, state and whether updates are live', () => {
    expect(status({}).text).toContain('1,234 Live')
    expect(status({}).text).toContain('Up to date')
    expect(status({}, undefined, false).text).toContain('Polling every 5 s')
  })

  it.each([
    [{ connected: true }, 'Connected'],
    [{ connected: false }, 'Not responding'],
    [undefined, '–'],
  ])('with node %j says %s', (peer, expected) => {
    expect(status({}, peer).text).toContain(expected)
  })

  it('shows progress only while there is something to wait for', () => {
    expect(status({}).has('role="progressbar"')).toBe(false)
    const syncing = status({ status: 'syncing', syncPercentage: 40, blocksLeft: 9000, secondsLeft: 130 })
    expect(syncing.text).toContain('40 %, 9,000 blocks left, about 3 min.')
  })

  it('shows why the index stopped', () => {
    expect(status({ status: 'error', error: 'Disk full.' }).text).toContain('Disk full.')
  })
})

describe(ArrivalsPanel, () => {
  it.each([
    [true, 'None since you opened this page'],
    [false, 'Nothing to show without the event stream'],
  ])('live %s, says "%s" while it is empty', (isLive, expected) => {
    expect(rendered(<ArrivalsPanel arrivals={[]} isLive={isLive} rows={3} />, { context }).text).toContain(expected)
  })

  it('links each transaction', () => {
    const arrivals = [{ txid: ID, valueOut: 1.5, size: 200, time: 1_767_225_600 }]
    const page = rendered(<ArrivalsPanel arrivals={arrivals} isLive rows={3} />, { context })
    expect(page.links[`${ID.slice(0, 16)}…`]).toBe(`/app/bitcoin/ltc/tx/${ID}`)
    expect(page.rows[1]?.slice(1)).toEqual(['1.5 LTC', '200 B'])
  })
})

describe(MempoolPanel, () => {
  it('names the fee bands and sums them up', () => {
    const bands = [
      { from: 0, to: 1, vsize: 10 },
      { from: 1, to: 5, vsize: 2000 },
      { from: 5, to: null, vsize: 0 },
    ]
    const page = rendered(<MempoolPanel />, {
      context,
      answers: [[['bitcoin', 'mempool', 'ltc'], { bands, txlength: 1200, vsize: 2010, feesSat: 1500 }]],
    })
    expect(page.all('dd')).toEqual(['1,200', '2 kvB', '0.000015 LTC'])
  })
})

describe(FeesPanel, () => {
  const fees = (rate: number) =>
    rendered(<FeesPanel isLive />, {
      context,
      answers: [[['bitcoin', 'fees', 'ltc'], { 1: rate, 2: rate, 3: rate, 6: rate, 12: rate, 24: rate, 144: rate, 1008: rate }]],
    })

  it('explains the estimates, or that there are none', () => {
    expect(fees(0.0000538).text).toContain('The node’s estimate')
    expect(fees(-1).text).toContain('No estimate yet')
  })
})
