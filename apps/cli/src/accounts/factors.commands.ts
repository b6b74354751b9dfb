import { accounts } from '@trestle/contracts/accounts/api'
import { command, YES } from '../command/command.js'
import { relative } from '../output/duration.js'
import type { View } from '../output/view.js'

const base = '/accounts'
const { secondFactors } = accounts

const NO_TERMINAL = 'No terminal to ask for the password and the code.'

const list = command({
  name: 'factors list',
  about: 'Your second factors, and how many recovery codes are left.',
  calls: { base, endpoints: [secondFactors.list] },
  examples: [['trestle factors list', 'authenticator apps and passkeys, with their last use']],
  run: ({ api }) => api.accounts.secondFactors.list(),
  view: ({ factors }, now) => ({
    head: ['ID', 'KIND', 'NAME', 'CREATED', 'LAST USED'],
    rows: factors.map(({ id, kind, name, createdAt, usedAt }) => [
      id,
      kind,
      name,
      relative(createdAt, now),
      relative(usedAt, now) || 'never',
    ]),
    none: 'No second factors. Add one: trestle factors add',
  }),
})

const add = command({
  name: 'factors add',
  about: 'Add an authenticator app. It replaces an earlier one.',
  details: [
    'The password is prompted for before the first factor. Then the secret for the app is shown, and a code of the app is prompted for. Passkeys are added in the console.',
    'With the first factor come ten recovery codes, which are shown only once, and all other sessions end.',
  ],
  calls: { base, endpoints: [secondFactors.list, secondFactors.enrolTotp, secondFactors.confirmTotp] },
  examples: [['trestle factors add', 'an authenticator app']],
  async run({ api, session, terminal }) {
    const { factors, hasPassword } = await api.accounts.secondFactors.list()
    const needsPassword = hasPassword && factors.length === 0
    const password = needsPassword ? await terminal.askSecret('Your password: ', NO_TERMINAL) : undefined
    const { secret, uri } = await api.accounts.secondFactors.enrolTotp({ body: { password } })
    terminal.note(`Add this to your authenticator app:\n  secret  ${secret}\n  URI     ${uri}`)
    const code = await terminal.ask('Code of the app: ', NO_TERMINAL)
    const { accessToken, recoveryCodes } = await api.accounts.secondFactors.confirmTotp({ body: { code: code.trim() } })
    if (accessToken) session.keepToken(accessToken)
    terminal.note('The authenticator app is added.')
    return recoveryCodes && { recoveryCodes }
  },
  view: recoveryCodesView,
})

const codes = command({
  name: 'factors codes',
  about: 'Replace your recovery codes with ten new ones.',
  options: YES,
  calls: { base, endpoints: [secondFactors.replaceRecoveryCodes] },
  examples: [['trestle factors codes', 'after a confirmation']],
  async run({ api, options, terminal }) {
    await terminal.confirm('Replace the recovery codes? The earlier ones will no longer work.', options.yes)
    return api.accounts.secondFactors.replaceRecoveryCodes()
  },
  view: recoveryCodesView,
})

const rm = command({
  name: 'factors rm',
  about: 'Remove a second factor.',
  args: { id: { about: 'the factor' } },
  options: YES,
  calls: { base, endpoints: [secondFactors.remove] },
  examples: [['trestle factors rm factor-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11', 'after a confirmation']],
  async run({ api, args, options, session, terminal }) {
    await terminal.confirm(`Remove ${args.id}? If it is the last one, your password alone will sign you in.`, options.yes)
    const { accessToken } = await api.accounts.secondFactors.remove({ params: { id: args.id } })
    if (accessToken) session.keepToken(accessToken)
    terminal.note(`${args.id} is removed.`)
    return undefined
  },
})

function recoveryCodesView({ recoveryCodes }: { recoveryCodes: string[] }): View {
  return {
    fields: [
      ...recoveryCodes.map((code, index): [string, string] => [`code ${index + 1}`, code]),
      ['', 'Each works once, in place of a second factor. They are not shown again: store them safely.'],
    ],
  }
}

export const factorsCommands = [list, add, codes, rm]
