import type { AccountDeletion } from '@trestle/contracts/accounts/account-deletion'
import { accounts } from '@trestle/contracts/accounts/api'
import { type CommandRun, command, flag, YES } from '../command/command.js'
import { relative } from '../output/duration.js'
import { askForPassword } from './login.commands.js'
import { isWithoutPassword } from './owner-password.js'

const base = '/accounts'
const { accountDeletion, dataExport, emailChanges, secondFactors } = accounts

export const PASSWORD_OPTION = { 'password-stdin': flag('read the password from the standard input') } as const

export async function passwordFor(run: CommandRun<unknown, typeof PASSWORD_OPTION>): Promise<string | undefined> {
  const isPiped = run.options['password-stdin']
  return !isPiped && (await isWithoutPassword(run)) ? undefined : askForPassword(run.terminal, 'Your password', isPiped)
}

const email = command({
  name: 'account email',
  about: 'Change your e-mail address. It takes effect with the link that is mailed to the new one.',
  details: ['The old address gets a mail with which the change can be undone for 72 hours.'],
  args: { address: { about: 'the new address' } },
  options: PASSWORD_OPTION,
  calls: { base, endpoints: [secondFactors.list, emailChanges.request] },
  examples: [['trestle account email ada@new.example', 'prompts for the password']],
  async run(run) {
    const { address } = run.args
    await run.api.accounts.emailChanges.request({ body: { email: address, password: await passwordFor(run) } })
    run.terminal.note(`A mail was sent to ${address}. Open the link in it within 24 hours; until then nothing changes.`)
    return undefined
  },
})

const download = command({
  name: 'account export',
  about: 'What is stored about you, as JSON lines. The line "end" shows that it is whole.',
  calls: { base, endpoints: [dataExport.create] },
  examples: [['trestle account export > account.jsonl', 'up to five times a day']],
  isText: true,
  run: async ({ api }) => (await api.accounts.dataExport.create()).trimEnd(),
})

const EFFECTS: Record<AccountDeletion['resources'][number]['effect'], string> = {
  deleted: 'deleted',
  kept: 'kept, without you',
  blocks: 'must be ended first',
}

const deletion = command({
  name: 'account deletion',
  about: 'What would happen to what you have if your account were deleted; nothing is changed.',
  calls: { base, endpoints: [accountDeletion.get] },
  examples: [['trestle account deletion', 'before trestle account delete']],
  run: async ({ api, terminal, now }) => {
    const preview = await api.accounts.accountDeletion.get()
    for (const blocker of preview.blockers) terminal.note(blocker)
    for (const name of preview.unreachable) terminal.note(`${name} does not answer at the moment: what it has is not listed.`)
    if (preview.dueAt) terminal.note(`Your account will be deleted ${relative(preview.dueAt, now())}. To keep it: trestle account keep`)
    return preview
  },
  view: ({ resources, organizations }) => ({
    head: ['WHAT', 'STATE', 'COUNT', 'WHAT HAPPENS'],
    rows: [
      ...resources.map(({ kind, deployment, state, count, effect }) => [`${kind} (${deployment})`, state, String(count), EFFECTS[effect]]),
      ...organizations.map(({ name, effect }) => [`organization ${name}`, '', '1', EFFECTS[effect]]),
    ],
    none: 'You have nothing besides the account itself.',
  }),
})

const remove = command({
  name: 'account delete',
  about: 'Delete your account, with what you have, after a time of grace.',
  details: [
    'Until then everything works, and "trestle account keep" cancels it. "trestle account deletion" shows before what will happen.',
  ],
  options: { ...PASSWORD_OPTION, ...YES },
  calls: { base, endpoints: [secondFactors.list, accountDeletion.request] },
  examples: [['trestle account delete', 'prompts for the password']],
  async run(run) {
    await run.terminal.confirm('Delete your account and what you have?', run.options.yes)
    const { dueAt } = await run.api.accounts.accountDeletion.request({ body: { password: await passwordFor(run) } })
    run.terminal.note(`Your account will be deleted ${relative(dueAt, run.now())}. To keep it: trestle account keep`)
    return undefined
  },
})

const keep = command({
  name: 'account keep',
  about: 'Cancel the deletion of your account.',
  calls: { base, endpoints: [accountDeletion.cancel] },
  examples: [['trestle account keep', 'while you can still log in']],
  async run({ api, terminal }) {
    await api.accounts.accountDeletion.cancel()
    terminal.note('Your account is kept.')
    return undefined
  },
})

export const accountCommands = [email, download, deletion, remove, keep]
