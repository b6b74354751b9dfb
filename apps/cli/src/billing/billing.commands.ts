import { staking } from '@trestle/contracts/staking/api'
import { calendarDay } from '../command/calendar-day.js'
import { command, text } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'
import { ether } from '../output/amount.js'

const report = command({
  name: 'billing report',
  about: "What your organization's validators earned in a range of UTC days, by user.",
  details: [
    'For members with the role auditor or billing, logged in with an account. Amounts are in ETH; with -o json they are in wei, with every validator.',
  ],
  options: { from: text('day', 'the first day, such as 2026-11-01; required'), to: text('day', 'the last day; required') },
  calls: { base: '', endpoints: [staking.reports.billing] },
  examples: [['trestle billing report --from 2026-11-01 --to 2026-11-30', 'a month']],
  async run({ api, options: { from, to } }) {
    if (!from || !to) throw new Failure(EXIT.usage, 'billing report requires --from and --to.')
    return api.staking.reports.billing({ query: { fromDate: calendarDay(from, '--from'), toDate: calendarDay(to, '--to') } })
  },
  view: (entries) => ({
    head: ['USER', 'E-MAIL', 'CHAIN', 'ACTIVE', 'REWARDS', 'PENALTIES', 'FEES', 'AFTER FEES'],
    rows: entries.flatMap(({ userName, userEmail, validatorsPerChain }) =>
      validatorsPerChain.map(({ chain, totalActiveValidators, rewards, penalties, fees, rewardsAfterFees }) => [
        userName,
        userEmail,
        chain,
        totalActiveValidators,
        ether(rewards),
        ether(penalties),
        ether(fees),
        ether(rewardsAfterFees),
      ]),
    ),
    none: 'No validators in your organization in that time.',
  }),
})

export const billingCommands = [report]
