import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import { BroadcastPage, Rejection } from './broadcast-page.js'
import { refetchMs } from './use-chain-events.js'

const context = 'ltc'

describe(BroadcastPage, () => {
  it('has one labelled field and one button', () => {
    const page = rendered(<BroadcastPage />, { context })
    expect(page.input('Signed transaction')).toContain('<textarea')
    expect(page.isEnabled('Send')).toBe(true)
    expect(page.text).toContain('This cannot be undone.')
  })
})

describe(Rejection, () => {
  it('explains a known reason, and quotes the node', () => {
    const problem = new Problem('invalid', 'TransactionRefused', 'dust. Code:-26')
    const page = rendered(<Rejection error={problem} />)
    expect(page.text).toContain('too small to be worth spending')
    expect(page.text).toContain('Node message: dust. Code:-26')
  })

  it('quotes the node where the reason is unknown', () => {
    const page = rendered(<Rejection error={new Problem('invalid', 'TransactionRefused', 'bad-luck')} />)
    expect(page.text).toContain('The node rejected this transaction.')
    expect(page.text).toContain('bad-luck')
  })

  it('shows any other problem as it is', () => {
    expect(rendered(<Rejection error={new Problem('unavailable', 'Away', 'Away.')} />).text).toBe('Away.')
  })
})

describe(refetchMs, () => {
  it.each([
    [true, undefined, 30_000],
    [false, undefined, 5_000],
    [true, new Problem('unavailable', 'Away', ''), 30_000],
    [false, new Problem('invalid', 'InvalidAddress', ''), false],
  ])('live %s after %p is %s', (isLive, error, expected) => {
    expect(refetchMs(isLive, error)).toBe(expected)
  })
})
