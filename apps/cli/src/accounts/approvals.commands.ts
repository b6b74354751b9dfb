import { accounts } from '@trestle/contracts/accounts/api'
import type { Approval } from '@trestle/contracts/accounts/approvals'
import { command, flag, YES } from '../command/command.js'
import { relative } from '../output/duration.js'
import type { View } from '../output/view.js'
import type { LoginSession } from '../profiles/session.js'
import { sharedOrganizationOf } from '../profiles/shared-organization.js'

const base = '/accounts'
const { approvals } = accounts
const ID = { about: 'the approval' } as const
const EXAMPLE = 'approval-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11'

const list = command({
  name: 'approvals list',
  about: 'What waits for the approval of a second person in the organization.',
  options: { all: flag('also what was decided, or has expired: the last 50') },
  calls: { base, endpoints: [approvals.list] },
  examples: [['trestle approvals list', 'what exactly is to be done, and who asks']],
  run: ({ api, options, session }) =>
    api.accounts.approvals.list({ params: { id: organizationOf(session) }, query: options.all ? {} : { state: 'pending' } }),
  view: (found, now) => ({
    head: ['ID', 'REQUEST', 'STATE', 'ASKED BY', 'EXPIRES'],
    rows: found.map(({ id, method, path, state, requestedBy, expiresAt }) => [
      id,
      `${method} ${path}`,
      state,
      requestedBy,
      state === 'pending' || state === 'approved' ? relative(expiresAt, now) : '',
    ]),
    none: 'Nothing waits for an approval.',
  }),
})

const approve = command({
  name: 'approvals approve',
  about: 'Approve what somebody else asks for, after it was shown.',
  args: { id: ID },
  options: YES,
  calls: { base, endpoints: [approvals.get, approvals.decide] },
  examples: [[`trestle approvals approve ${EXAMPLE}`, 'after a confirmation']],
  async run({ api, args, options, session, terminal }) {
    const params = { id: organizationOf(session), approvalId: args.id }
    const asked = await api.accounts.approvals.get({ params })
    terminal.note(described(asked))
    await terminal.confirm(`Approve it for ${asked.requestedBy}?`, options.yes)
    return api.accounts.approvals.decide({ params, body: { decision: 'approved' } })
  },
  view: (decided, now) => approvalView(decided, now),
})

const refuse = command({
  name: 'approvals refuse',
  about: 'Refuse what somebody else asks for, or take back what you have asked for.',
  args: { id: ID },
  calls: { base, endpoints: [approvals.decide] },
  examples: [[`trestle approvals refuse ${EXAMPLE}`, 'they can ask again']],
  run: ({ api, args, session }) =>
    api.accounts.approvals.decide({ params: { id: organizationOf(session), approvalId: args.id }, body: { decision: 'refused' } }),
  view: (decided, now) => approvalView(decided, now),
})

/** What exactly will happen. */
function described({ summary, method, path, body }: Approval): string {
  return `${summary}\n  ${method} ${path}${body ? `\n  ${JSON.stringify(body)}` : ''}`
}

function approvalView({ id, method, path, state, requestedBy, expiresAt }: Approval, now: Date): View {
  return {
    fields: [
      ['id', id],
      ['request', `${method} ${path}`],
      ['asked by', requestedBy],
      ['state', state],
      ...(state === 'approved' ? [['to be done', relative(expiresAt, now)] as [string, string]] : []),
    ],
  }
}

function organizationOf(session: LoginSession): string {
  return sharedOrganizationOf(session, 'needs no approvals')
}

export const approvalsCommands = [list, approve, refuse]
