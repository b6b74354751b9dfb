import { transferOf } from '@trestle/devnet/ethereum/token'
import type { GethChain } from '../geth-chain.js'
import { type CorpusCall, corpusCall, each, places } from './corpus-call.js'

/** Selectors of the token, and one that it lacks. */
const TOTAL_SUPPLY = '0x18160ddd'
const SYMBOL = '0x95d89b41'
const UNKNOWN = '0xdeadbeef'
const balanceOf = (address: string) => `0x70a08231${address.slice(2).padStart(64, '0')}`

export function stateCalls(chain: GethChain): CorpusCall[] {
  return [...ofAccounts(chain), ...ofStorage(chain), ...ofCalls(chain), ...ofGas(chain), ...ofSimulations(chain)]
}

function ofAccounts(chain: GethChain): CorpusCall[] {
  const { sender, token, nobody } = chain
  return each([sender, token, nobody], (address) =>
    each(places(chain), (place) =>
      each(['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'], (method) => corpusCall(method, [address, place])),
    ),
  )
}

function ofStorage(chain: GethChain): CorpusCall[] {
  const { sender, token, nobody, block } = chain
  return [
    ...each(['0x0', sender.toLowerCase().replace(/^0x0*/, '0x'), `0x${'0'.repeat(64)}`, '0x01', '0xzz', `0x${'1'.repeat(66)}`], (slot) =>
      each(['latest', block.number, { blockHash: block.hash }], (place) => corpusCall('eth_getStorageAt', [token, slot, place])),
    ),
    ...each([[], ['0x0'], ['0x0', `0x${'0'.repeat(63)}1`], ['0xzz']], (slots) =>
      each(['latest', block.number, '0xffff'], (place) => corpusCall('eth_getProof', [token, slots, place])),
    ),
    corpusCall('eth_getProof', [nobody, ['0x0'], 'latest']),
  ]
}

function ofCalls(chain: GethChain): CorpusCall[] {
  const { sender, token, nobody } = chain
  const reverting = { from: nobody, to: token, data: transferOf(sender, 10n ** 30n) }
  return [
    ...each(places(chain), (place) => corpusCall('eth_call', [{ to: token, data: TOTAL_SUPPLY }, place])),
    ...each(['latest', chain.head.number, '0x0', 'pending', 'safe'], (place) => corpusCall('eth_call', [reverting, place])),
    ...each([SYMBOL, UNKNOWN, '0x', balanceOf(sender), balanceOf(nobody), transferOf(nobody, 1n)], (data) =>
      each([{}, { from: sender }, { input: data }, { gas: '0x5208' }, { gas: '0xffffff' }, { gasPrice: '0x1' }, { value: '0x1' }], (more) =>
        corpusCall('eth_call', [{ to: token, data, ...more }, 'latest']),
      ),
    ),
    corpusCall('eth_call', [{ to: token, data: '0x1', input: '0x2' }, 'latest']),
    corpusCall('eth_call', [{ to: token, data: '0x01', input: '0x02' }, 'latest']),
    corpusCall('eth_call', [{ to: '0x12', data: '0x' }, 'latest']),
    corpusCall('eth_call', [{ data: '0x60006000fd' }, 'latest']),
    corpusCall('eth_call', [{ data: '0xfe' }, 'latest']),
    corpusCall('eth_call', [{ data: '0x602a60005260206000f3' }, 'latest']),
    corpusCall('eth_call', [{ from: nobody, to: sender, value: '0xffffffffffffffffffff' }, 'latest']),
    corpusCall('eth_call', [{ to: token, data: balanceOf(nobody) }]),
    corpusCall('eth_call', [{ to: token, data: balanceOf(nobody) }, null]),
    corpusCall('eth_call', [{ to: token, data: TOTAL_SUPPLY }, 'latest', { [token]: { code: '0x602a60005260206000f3' } }]),
    corpusCall('eth_call', [
      { to: token, data: balanceOf(nobody) },
      'latest',
      { [token]: { stateDiff: { [`0x${nobody.slice(2).padStart(64, '0')}`]: `0x${'f'.repeat(64)}` } } },
    ]),
    corpusCall('eth_call', [{ to: nobody, value: '0x1', from: token }, 'latest', { [token]: { balance: '0xffff' } }]),
    corpusCall('eth_call', [{ data: '0x4360005260206000f3' }, 'latest', {}, { number: '0x64' }]),
    corpusCall('eth_call', [{ data: '0x4260005260206000f3' }, 'latest', {}, { time: '0x64' }]),
    corpusCall('eth_call', [{ to: token, data: SYMBOL }, 'latest', { [token]: { state: {}, stateDiff: {} } }]),
    corpusCall('eth_call', [{ to: token, maxFeePerGas: '0x1', gasPrice: '0x1' }, 'latest']),
    corpusCall('eth_call', [{ to: token, data: SYMBOL, accessList: [{ address: token, storageKeys: [] }] }, 'latest']),
  ]
}

function ofGas({ sender, token, nobody, block, head }: GethChain): CorpusCall[] {
  const transactions = [
    { from: sender, to: nobody, value: '0x1' },
    // To itself: geth lists several slots in any order.
    { from: sender, to: token, data: transferOf(sender, 3n) },
    { from: nobody, to: token, data: transferOf(sender, 10n ** 30n) },
    { from: nobody, to: sender, value: '0xffffffffffffffffffff' },
    { from: sender, data: '0x602a60005260206000f3' },
    { to: token, data: UNKNOWN },
  ]
  return [
    ...each(transactions, (transaction) => [
      corpusCall('eth_estimateGas', [transaction]),
      corpusCall('eth_createAccessList', [transaction]),
      ...each(['latest', 'pending', block.number, head.number, { blockHash: block.hash }, '0xffff'], (place) => [
        corpusCall('eth_estimateGas', [transaction, place]),
        corpusCall('eth_createAccessList', [transaction, place]),
      ]),
    ]),
    corpusCall('eth_estimateGas', [{ from: sender, to: nobody, value: '0x1', gas: '0x1' }]),
    corpusCall('eth_estimateGas', [{ from: sender, to: nobody }, 'latest', { [sender]: { balance: '0x0' } }]),
    corpusCall('eth_estimateGas', []),
    corpusCall('eth_createAccessList', []),
  ]
}

function ofSimulations({ sender, token, nobody, head }: GethChain): CorpusCall[] {
  const calls = [{ from: sender, to: token, data: transferOf(nobody, 1n) }]
  return [
    ...each(['latest', head.number, '0x1'], (place) => [
      corpusCall('eth_simulateV1', [{ blockStateCalls: [{ blockOverrides: { time: '0xffffffff' }, calls }] }, place]),
      corpusCall('eth_simulateV1', [{ blockStateCalls: [{ blockOverrides: { time: '0xffffffff' }, calls }], traceTransfers: true }, place]),
      corpusCall('eth_simulateV1', [
        { blockStateCalls: [{ blockOverrides: { time: '0xffffffff' }, calls }], returnFullTransactions: true },
        place,
      ]),
    ]),
    corpusCall('eth_simulateV1', [{ blockStateCalls: [] }, 'latest']),
    corpusCall('eth_simulateV1', [{ blockStateCalls: [{ blockOverrides: { number: '0x0' }, calls }] }, 'latest']),
    corpusCall('eth_simulateV1', []),
  ]
}
