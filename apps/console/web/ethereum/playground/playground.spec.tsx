import { rendered } from '../../testing/rendered.js'
import { ethereumTexts } from '../../texts/ethereum.js'
import { AnswerListing, CallSummary } from './answer.js'
import { CallFields } from './call-fields.js'
import { CallHistory } from './call-history.js'
import { type PlaygroundEvent, playgroundForm, reducePlayground } from './playground-form.js'
import type { PlaygroundCall } from './rpc.client.js'

const texts = ethereumTexts.playground
const context = 'eth'
const ignore = () => undefined

function call(change: Partial<PlaygroundCall> = {}): PlaygroundCall {
  return {
    key: 'call-1',
    at: new Date('2026-03-01T12:00:00.000Z'),
    method: 'eth_blockNumber',
    params: [],
    status: 200,
    milliseconds: 12.34,
    bytes: 1500,
    answer: { jsonrpc: '2.0', id: 1, result: '0x10' },
    ...change,
  }
}

const refusal = (code: number, message = 'no') => ({ jsonrpc: '2.0', id: 1, error: { code, message } })

describe(CallSummary, () => {
  const outcome = (change: Partial<PlaygroundCall> = {}) => rendered(<CallSummary call={call(change)} />, { context })

  it('says that a call succeeded, how long it took, and what a number means', () => {
    const { text } = outcome()
    expect(text).toContain('Succeeded')
    expect(text).toContain('12.3 ms, 1.5 kB, HTTP 200')
    expect(text).toContain('= 16')
  })

  it('says what an amount is in the coin of the chain', () => {
    expect(outcome({ method: 'eth_getBalance', answer: { result: '0xde0b6b3a7640000' } }).text).toContain('= 1 ETH')
  })

  it.each(Object.entries(texts.failures))('explains the JSON-RPC error %s', (code, expected) => {
    const { text } = outcome({ answer: refusal(Number(code), 'execution reverted') })
    expect(text).toContain('Failed')
    expect(text).toContain('execution reverted')
    expect(text).toContain(expected)
  })

  it.each([
    [404, { code: 'ProjectNotFound', detail: 'No such project.' }, texts.failureOfStatus[404]],
    [503, { code: 'Unreachable', detail: 'Try again.' }, texts.failureOfStatus[503]],
    [200, refusal(-31_999, 'odd'), texts.otherFailure],
  ])('explains status %i with %j', (status, answer, expected) => {
    expect(outcome({ status, answer }).text).toContain(expected)
  })

  it('shows no meaning of a failure', () => {
    expect(outcome({ answer: refusal(-32_602) }).text).not.toContain('=')
  })
})

describe(AnswerListing, () => {
  const listing = (answer: unknown) => rendered(<AnswerListing call={call({ answer })} />)

  it('shows the response as it is', () => {
    expect(listing({ result: null }).all('pre')[0]).toBe('{ "result": null }')
    expect(listing('<html>').all('pre')[0]).toBe('<html>')
  })

  it('cuts what nobody reads, but copies all of it', () => {
    const page = listing('x'.repeat(100_001))
    expect(page.all('pre')[0]).toHaveLength(100_000)
    expect(page.text).toContain('Only the beginning is shown.')
    expect(page.isEnabled('Copy: Response')).toBe(true)
    expect(listing('x'.repeat(100_000)).text).not.toContain('Only the beginning is shown.')
  })
})

describe(CallFields, () => {
  const fields = (query: string, ...events: readonly PlaygroundEvent[]) =>
    rendered(<CallFields form={events.reduce(reducePlayground, playgroundForm(new URLSearchParams(query)))} dispatch={ignore} />)

  it('says that a method takes no parameters', () => {
    expect(fields('method=eth_blockNumber').text).toContain('This method takes no parameters.')
  })

  it('has a field for each parameter, with its format', () => {
    const page = fields('method=eth_getBalance')
    expect(page.input('Address')).toBeDefined()
    expect(page.text).toContain(texts.kinds.address)
    expect(page.input('Block')).toContain('value="latest"')
  })

  it('shows mistakes only once a send was tried', () => {
    const typed = (value: string) => ({ type: 'typed value', index: 0, value }) as const
    const submitted = { type: 'submitted' } as const
    expect(fields('method=eth_getBalance', typed('')).text).not.toContain('Required.')
    expect(fields('method=eth_getBalance', typed(''), submitted).text).toContain('Required.')
    expect(fields('method=eth_getBalance', typed('0x12'), submitted).text).toContain('Not an address.')
  })

  it('edits the same parameters as JSON', () => {
    const page = fields('method=eth_getBalance', { type: 'switched form' })
    expect(page.input('Parameters')).toBeDefined()
    expect(page.input('Address')).toBeUndefined()
  })

  it('says that JSON is no array, and does not fit into fields', () => {
    const events = [{ type: 'switched form' }, { type: 'typed JSON', json: '{' }, { type: 'submitted' }] as const
    const page = fields('method=eth_getBalance', ...events)
    expect(page.text).toContain('Not a JSON array.')
    expect(page.text).toContain('These parameters cannot be shown as fields.')
  })
})

describe(CallHistory, () => {
  it('lists calls, and opens each again', () => {
    const calls = [call(), call({ key: 'call-2', method: 'eth_call', answer: refusal(3) })]
    const page = rendered(<CallHistory calls={calls} onRecall={ignore} />)
    expect(page.rows.slice(1).map((row) => row.slice(1, 4))).toEqual([
      ['eth_blockNumber', 'Succeeded', '12.3 ms'],
      ['eth_call', 'Failed', '12.3 ms'],
    ])
    expect(page.isEnabled('Open eth_call')).toBe(true)
  })
})
