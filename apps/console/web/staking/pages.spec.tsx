import { VALIDATOR_PHASES, VALIDATOR_STATUSES, type Validator } from '@trestle/contracts/staking/validators'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { stakingTexts } from '../texts/staking.js'
import { AddressField } from './address-field.js'
import { ChainTotals } from './chain-totals.js'
import { CheckList } from './check-list.js'
import { DutiesPanel } from './duties-panel.js'
import { EndPanels } from './end-panels.js'
import { FeeRecipientPanel } from './fee-recipient-panel.js'
import { canExit, stepsOf } from './lifecycle.js'
import { LifecycleTimeline } from './lifecycle-timeline.js'
import { NewValidatorPage } from './new-validator-page.js'
import { RatesPanel } from './rates-panel.js'
import { StatusBadge } from './status-badge.js'
import { ValidatorFacts } from './validator-facts.js'
import { ValidatorsPage } from './validators-page.js'
import { ValidatorsTable } from './validators-table.js'

const AT = '2026-03-01T12:00:00.000Z'
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const VALIDATOR = partial<Validator>({
  id: 'dev:ab',
  chain: 'dev',
  pubkey: 'ab'.repeat(48),
  region: 'eu',
  status: 'active',
  phase: 'active',
  balance: '32000000000000000001',
  effectiveBalance: '32000000000000000000',
  index: 7,
  withdrawalAddress: ADDRESS,
  feeAddress: ADDRESS,
  compounding: false,
  slashed: false,
  note: null,
  startedAt: AT,
  readyAt: AT,
  depositedAt: AT,
  activatedAt: AT,
  exitRequestedAt: null,
  exitingAt: null,
  exitedAt: null,
  withdrawnAt: null,
  depositData: null,
  asOf: AT,
})
const withChange = (change: object): Validator => ({ ...VALIDATOR, ...change })

describe(StatusBadge, () => {
  it.each(VALIDATOR_STATUSES)('names %s', (status) => {
    expect(rendered(<StatusBadge status={status} />).text).toBe(stakingTexts.statuses[status])
  })
})

describe(LifecycleTimeline, () => {
  it.each(VALIDATOR_PHASES)('of %s says of each step whether it is done', (phase) => {
    const page = rendered(<LifecycleTimeline validator={withChange({ phase })} />)
    const expected = stepsOf(withChange({ phase })).filter(({ state }) => phase !== 'spoiled' || state === 'done')
    for (const { name, state } of expected)
      expect(page.text).toContain(`${stakingTexts.steps.names[name]} (${stakingTexts.steps.states[state]})`)
    expect(page.html.match(/aria-current="step"/g)?.length ?? 0).toBe(expected.filter(({ state }) => state === 'now').length)
  })

  it('warns of a compromised key', () => {
    expect(rendered(<LifecycleTimeline validator={withChange({ phase: 'spoiled' })} />).text).toContain('It can no longer be used.')
  })

  it('expects minutes on a quick chain, and weeks on a real one', () => {
    expect(rendered(<LifecycleTimeline validator={withChange({ phase: 'deposited' })} />).text).toContain('About three minutes')
    expect(rendered(<LifecycleTimeline validator={withChange({ phase: 'deposited', chain: 'mainnet' })} />).text).toContain(
      'minutes to weeks',
    )
  })
})

describe(ValidatorFacts, () => {
  it('shows balances to the wei', () => {
    const page = rendered(<ValidatorFacts validator={VALIDATOR} />)
    expect(page.text).toContain('32.000000000000000001 ETH')
    expect(page.text).toContain('paid out (0x01)')
  })

  it('says what is not known yet', () => {
    const page = rendered(<ValidatorFacts validator={withChange({ index: null, asOf: null, compounding: true })} />)
    expect(page.text).toContain('none yet')
    expect(page.text).toContain('not yet')
    expect(page.text).toContain('compounded (0x02)')
  })
})

describe(EndPanels, () => {
  it.each(VALIDATOR_PHASES)('of %s offers an exit only where the chain takes one', (phase) => {
    const validator = withChange({ phase })
    expect(rendered(<EndPanels validator={validator} />).isEnabled('Exit validator') ?? false).toBe(canExit(validator))
  })

  it.each([
    [{ phase: 'active' }, 'Stops staking and pays everything'],
    [{ phase: 'active', exitRequestedAt: AT }, 'Exit requested'],
    [{ phase: 'exiting' }, 'Exit requested'],
    [{ phase: 'exited' }, 'This validator has exited.'],
    [{ phase: 'withdrawn' }, 'This validator has exited.'],
    [{ phase: 'ready' }, 'Nothing to exit'],
  ])('explains %j', (change, expected) => {
    expect(rendered(<EndPanels validator={withChange(change)} />).text).toContain(expected)
  })

  it('always offers to delete it from the list', () => {
    expect(rendered(<EndPanels validator={withChange({ phase: 'withdrawn' })} />).isEnabled('Delete')).toBe(true)
  })
})

describe(FeeRecipientPanel, () => {
  it.each(VALIDATOR_PHASES)('of %s is there as long as it proposes blocks', (phase) => {
    const page = rendered(<FeeRecipientPanel validator={withChange({ phase })} />)
    expect(page.text !== '').toBe(!(phase === 'exited' || phase === 'withdrawn' || phase === 'spoiled'))
  })

  it('cannot be sent empty', () => {
    expect(rendered(<FeeRecipientPanel validator={VALIDATOR} />).isEnabled('Change')).toBe(false)
  })
})

describe(AddressField, () => {
  const field = (value: string, error?: string) =>
    rendered(<AddressField label="Address" value={value} onChange={() => undefined} error={error} />)

  it.each([
    ['', ''],
    ['0x5aAeb6', ''],
    [ADDRESS, 'Valid checksum (EIP-55).'],
    [ADDRESS.toLowerCase(), ADDRESS],
    [ADDRESS.replace('5aA', '5Aa'), 'The checksum is wrong'],
    ['vitalik.eth', '0x and 40 hexadecimal digits'],
    [`0x${'0'.repeat(40)}`, 'Nobody holds the key'],
  ])('at %j says "%s"', (value, expected) => {
    const said = field(value).text.replace('Address', '').trim()
    if (expected === '') expect(said).toBe('')
    else expect(said).toContain(expected)
  })

  it('shows the platform’s message where the address itself is fine', () => {
    expect(field(ADDRESS, 'This address is blocked.').text).toContain('This address is blocked.')
  })
})

describe(CheckList, () => {
  it('says passed or FAILED, and what was expected', () => {
    const page = rendered(
      <CheckList
        checks={[
          { name: 'pubkey', passed: true, found: '0xab', expected: '0xab' },
          { name: 'address', passed: false, found: '0xcd', expected: '0xef' },
          { name: 'call', passed: false, found: '0x12' },
        ]}
      />,
    )
    expect(page.all('b')).toEqual(['passed', 'FAILED', 'FAILED'])
    expect(page.text.match(/Expected/g)).toHaveLength(1)
    expect(page.text).toContain('Expected: 0xef')
    expect(page.text).toContain('Actual: 0xcd')
  })
})

describe(ValidatorsTable, () => {
  const table = (search: string) =>
    rendered(
      <ValidatorsTable validators={[VALIDATOR, withChange({ id: 'dev:cd', pubkey: 'cd'.repeat(48), status: 'slashed', region: 'us' })]} />,
      {
        at: `/app/staking${search}`,
        answers: [[['staking', 'aprs'], new Map([['ab'.repeat(48), 3.254]])]],
      },
    )

  it('shows balance and rate of each', () => {
    expect(
      table('')
        .rows.slice(1)
        .map((row) => row.slice(1, 5)),
    ).toEqual([
      ['Active', '32', '3.25 %', 'eu'],
      ['Slashed', '32', '–', 'us'],
    ])
    expect(table('').text).toContain('2 in total')
  })

  it.each([
    ['?find=0xCD', '1 of 2'],
    ['?status=slashed', '1 of 2'],
    ['?status=nonsense', '2 in total'],
    ['?find=nothing', '0 of 2'],
  ])('filters by the address of the page: %s', (search, expected) => {
    expect(table(search).text).toContain(expected)
  })

  it('says so where nothing matches', () => {
    expect(table('?find=nothing').text).toContain('No validators match.')
  })
})

describe(ValidatorsPage, () => {
  const answers = (chains: readonly string[], validators: readonly Validator[]) =>
    [[['staking', 'chains'], chains], ...chains.map((chain) => [['staking', 'validators', chain], validators] as const)] as const

  it('says that no chain is available', () => {
    expect(rendered(<ValidatorsPage />, { answers: answers([], []) }).all('h2')).toEqual(['No chains available'])
  })

  it('offers to create the first validator, on the chain that is shown', () => {
    const page = rendered(<ValidatorsPage />, { at: '/app/staking?chain=hoodi', answers: answers(['dev', 'hoodi'], []) })
    expect(page.all('h2')).toEqual(['No validators yet'])
    expect(page.has('href="/app/staking/new?chain=hoodi"')).toBe(true)
  })

  it('offers a choice of chain only where there are several', () => {
    const radios = (chains: readonly string[]) =>
      rendered(<ValidatorsPage />, { answers: answers(chains, [VALIDATOR]) }).html.match(/type="radio"/g)?.length ?? 0
    expect([radios(['dev']), radios(['dev', 'hoodi'])]).toEqual([0, 2])
  })
})

describe(NewValidatorPage, () => {
  const page = rendered(<NewValidatorPage />, {
    answers: [
      [['staking', 'chains'], ['dev']],
      [['staking', 'regions'], ['eu']],
    ],
  })

  it('cannot be sent before an address is given', () => {
    expect(page.isEnabled('Create key')).toBe(false)
  })

  it('warns that the withdrawal address cannot be changed', () => {
    expect(page.text).toContain('It can never be changed.')
  })

  it('pays rewards out unless compounding is chosen', () => {
    expect(page.html.match(/<input[^>]*checked=""[^>]*value="execution"|<input[^>]*value="execution"[^>]*checked=""/)).not.toBeNull()
  })
})

describe(ChainTotals, () => {
  it('shows dashes until something is known', () => {
    const page = rendered(<ChainTotals chain="dev" validators={undefined} />)
    expect(page.text.match(/–/g)).toHaveLength(6)
  })

  it('counts by status', () => {
    const validators = [VALIDATOR, withChange({ status: 'pending' }), withChange({ status: 'slashed' }), withChange({ status: 'exited' })]
    const page = rendered(<ChainTotals chain="dev" validators={validators} />, {
      answers: [[['staking', 'stats', 'dev'], { apr: 3.5, consensusApr: 3, executionApr: 0.5 }]],
    })
    expect(page.text).toBe(
      'Total balance 128 ETH Active 1 Pending 1 Exiting or exited 1 Slashed or not seen 1 APR of dev 3.50 % 3.00 % duties, 0.50 % block fees',
    )
  })
})

describe(RatesPanel, () => {
  const rates = (chainApr: number, activatedAt: string | null = AT) =>
    rendered(<RatesPanel validator={withChange({ activatedAt })} />, {
      answers: [
        [
          ['staking', 'performance', 'dev', VALIDATOR.pubkey],
          { consensusApr: 3, executionApr: 1, apr: 4, consensusPenalties: '1', executionPenalties: '2' },
        ],
        [['staking', 'stats', 'dev'], { consensusApr: chainApr, executionApr: 1, apr: chainApr + 1 }],
      ],
    })

  it('compares the validator with the chain', () => {
    expect(rates(4).rows.slice(1)).toEqual([
      ['Duties', '3.00 %', '4.00 %'],
      ['Block fees', '1.00 %', '1.00 %'],
      ['Total', '4.00 %', '5.00 %'],
    ])
    expect(rates(4).text).toContain('Effectiveness 75.00 %')
  })

  it('has no effectiveness where nothing could be earned', () => {
    expect(rates(0).text).toContain('Effectiveness –')
  })

  it('is not there before the validator is active', () => {
    expect(rates(4, null).text).toBe('')
  })
})

describe(DutiesPanel, () => {
  const day = { attestations: 225, missedAttestations: 2, proposals: 0, missedProposals: 0, syncDuties: null, missedSyncDuties: null }
  const query = { data: [{ from: '', to: '', label: 'Mar 1', days: [day] }], error: null, refetch: () => undefined } as never

  it('says how many were missed, none due, or unknown', () => {
    expect(rendered(<DutiesPanel query={query} />).all('dd')).toEqual(['2 of 225', 'none due', 'unknown'])
  })
})
