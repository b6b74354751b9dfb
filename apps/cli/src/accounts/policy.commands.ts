import { accounts } from '@trestle/contracts/accounts/api'
import { APPROVABLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { command, repeated, text } from '../command/command.js'

const { policies } = accounts
const EXAMPLE = 'org-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11'

const policy = command({
  name: 'orgs policy',
  about: 'What an organization demands of its members; with an option, an owner sets it.',
  details: ['What is not named stays. With anything under four eyes, members:write is too.'],
  args: { id: { about: 'the organization' } },
  options: {
    'second-factor': text('yes|no', 'whether members need a second factor', { choices: ['yes', 'no'] }),
    approval: repeated('permission', 'all that needs the approval of a second person; none: nothing', [...APPROVABLE_PERMISSIONS, 'none']),
  },
  calls: { base: '/accounts', endpoints: [policies.get, policies.set] },
  examples: [
    [`trestle orgs policy ${EXAMPLE}`, 'what it demands'],
    [`trestle orgs policy ${EXAMPLE} --second-factor yes --approval staking:exit --approval nodes:delete`, 'set both'],
  ],
  async run({ api, args, options }) {
    const params = { id: args.id }
    const current = await api.accounts.policies.get({ params })
    const factor = options['second-factor']
    if (factor === undefined && options.approval.length === 0) return current
    const requireSecondFactor = factor === undefined ? current.requireSecondFactor : factor === 'yes'
    const named = APPROVABLE_PERMISSIONS.filter((permission) => options.approval.includes(permission))
    const approvals = options.approval.length === 0 ? current.approvals : named
    return api.accounts.policies.set({ params, body: { requireSecondFactor, approvals } })
  },
  view: ({ requireSecondFactor, approvals }) => ({
    fields: [
      ['second factor', requireSecondFactor ? 'required' : 'not required'],
      ['needs approval', approvals.join(', ') || 'nothing'],
    ],
  }),
})

export const policyCommands = [policy]
