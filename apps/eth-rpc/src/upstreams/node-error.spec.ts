import { consequenceOf, type ErrorMeaning, meaningOf } from './node-error.js'

describe(meaningOf, () => {
  it.each<[ErrorMeaning, number, string]>([
    // geth
    ['answer', 3, 'execution reverted: header not found'],
    ['answer', -32000, 'execution reverted'],
    ['answer', -32000, 'insufficient funds for gas * price + value: address 0xab have 0 want 1'],
    ['answer', -32000, 'replacement transaction underpriced'],
    ['answer', -32000, 'transaction underpriced: gas tip cap 0, minimum needed 1'],
    ['answer', -32000, 'intrinsic gas too low: gas 1, minimum needed 21000'],
    ['answer', -32000, 'exceeds block gas limit'],
    ['answer', -32000, 'oversized data: transaction size 131125, limit 131072'],
    ['answer', -32000, 'gas required exceeds allowance (100)'],
    ['answer', -32000, 'execution aborted (timeout = 5s)'],
    ['answer', -32000, 'max fee per gas less than block base fee'],
    ['answer', -32602, 'missing value for required argument 1'],
    ['answer', -32602, 'invalid block range params'],
    ['known-transaction', -32000, 'already known'],
    ['nonce-too-low', -32000, 'nonce too low: next nonce 5, tx nonce 4'],
    ['missing-state', -32000, 'missing trie node 1a (path ) state 0x1a is not available, not found'],
    ['missing-state', -32000, 'historical state 0x1a is not available'],
    ['missing-state', -32000, 'required historical state unavailable (reexec=128)'],
    ['missing-state', 4444, 'pruned history unavailable'],
    ['unknown-block', -32000, 'header not found'],
    ['unknown-block', -32000, 'header for hash not found'],
    ['unknown-block', -32000, 'unknown block'],
    ['unknown-block', -32602, 'block range extends beyond current head block'],
    ['unknown-block', -32000, 'block #25 not found'],
    ['unsupported', -32601, 'the method eth_getProof does not exist/is not available'],
    ['failed', -32603, 'method handler crashed'],
    ['failed', -32002, 'request timed out'],
    // nethermind
    ['answer', -32015, 'VM execution error.'],
    ['known-transaction', -32010, 'AlreadyKnown'],
    ['nonce-too-low', -32010, 'OldNonce, Current nonce: 5, nonce of rejected tx: 4'],
    ['missing-state', -32002, 'No state available for block 0x1a'],
    ['unknown-block', -32001, '4660 could not be found'],
    // erigon
    ['missing-state', -32000, 'history has been pruned for this block'],
    ['unknown-block', -32000, 'block not found: 25'],
    // besu
    ['answer', -32000, 'Execution reverted'],
    ['known-transaction', -32000, 'Known transaction'],
    ['nonce-too-low', -32001, 'Nonce too low'],
    ['missing-state', -32000, 'World state unavailable'],
    ['unknown-block', -32000, 'Block not found'],
    ['range-too-large', -32000, 'Requested range exceeds maximum RPC range limit: block range 6000'],
    // reth
    ['missing-state', -32000, 'distance to target block exceeds maximum proof window'],
    ['missing-state', -32000, 'state at block #5 is pruned'],
    ['missing-state', -32000, 'no state found for block 0x1a'],
    ['range-too-large', -32602, 'query exceeds max block range 100000'],
    ['range-too-large', -32602, 'query exceeds max results 20000, retry with the range 1-5'],
    // anvil
    ['unknown-block', -32602, 'BlockOutOfRangeError: block height is 4 but requested was 255'],
    ['known-transaction', -32003, 'transaction already imported'],
    // hosted gateways
    ['range-too-large', -32005, 'query returned more than 10000 results'],
    ['range-too-large', -32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range'],
    ['range-too-large', -32614, 'eth_getLogs is limited to a 10,000 range'],
    ['range-too-large', -32600, 'eth_getLogs and eth_newFilter are limited to a 10,000 blocks range'],
    ['limited', 429, 'Your app has exceeded its compute units per second capacity.'],
    ['limited', -32005, 'daily request count exceeded, request rate limited'],
    ['limited', -32029, 'Too Many Requests'],
    ['limited', -32000, 'rate limit exceeded'],
    ['unsupported', -32600, 'Unsupported method: eth_getProof'],
    ['unwell', -32000, 'server is shutting down'],
    ['unwell', -32000, 'node is not synced'],
  ])('is %s for %i %s', (meaning, code, message) => {
    expect(meaningOf({ code, message })).toBe(meaning)
  })

  it('does not let a caller make a node look unhealthy', () => {
    expect(meaningOf({ code: -32602, message: 'unknown variant `rate limit exceeded, shutting down`' })).toBe('answer')
  })

  it('reads only the beginning of a long message', () => {
    expect(meaningOf({ code: -32000, message: `${'a'.repeat(1_000_000)} header not found` })).toBe('answer')
  })
})

describe(consequenceOf, () => {
  it('does not call another node for an error that every node would report', () => {
    expect(consequenceOf('answer')).toEqual({ elsewhere: false, isReported: true })
  })

  it('hides what an upstream says about our account from the caller', () => {
    expect(consequenceOf('limited')).toEqual({ elsewhere: true, isReported: false })
  })
})
