import { accounts } from '@trestle/contracts/accounts/api'
import { createTrestle } from '@trestle/sdk/trestle'
import { type CommandRun, command, flag, text } from '../command/command.js'
import { platformUrl } from '../env.js'
import { askForPassword, warnOfPlainHttp } from './login.commands.js'

const OPTIONS = {
  url: text('url', 'the URL of the platform; by default that of the profile'),
  email: text('address', 'the e-mail address, which a mail has to be read at'),
  name: text('name', 'your name, or the company'),
  company: flag('the account is of a company'),
  country: text('country', 'of the billing address'),
  zip: text('code', 'of the billing address'),
  street: text('line', 'of the billing address'),
  state: text('state', 'of the billing address'),
  'password-stdin': flag('read the password from the standard input'),
  invited: flag('ask for the invitation that the platform requires'),
} as const

const QUESTIONS = {
  email: 'E-mail address',
  name: 'Name',
  country: 'Country',
  zip: 'ZIP code',
  street: 'Street and city',
  state: 'State or region',
} as const

type SignUpRun = CommandRun<unknown, typeof OPTIONS>

const signup = command({
  name: 'signup',
  about: 'Sign up. A link in a mail verifies the e-mail address.',
  details: [
    'What no option says is prompted for; without a terminal the billing address may be left out.',
    'A platform may ask for a proof of work, against floods of sign-ups: it is computed here, which takes some seconds.',
  ],
  options: OPTIONS,
  calls: { base: '/accounts', endpoints: [accounts.users.register] },
  examples: [['trestle signup --url https://trestle.example', 'prompts for everything']],
  async run(run) {
    const { options, session, terminal } = run
    const url = options.url ? platformUrl(options.url, '--url') : session.url
    warnOfPlainHttp(terminal, url)
    const { email, name: displayName, country, zip, street, state } = await answers(run)
    const password = await askForPassword(terminal, 'A new password', options['password-stdin'])
    const invitation = options.invited ? await terminal.askSecret('Invitation: ', 'No terminal to ask for the invitation.') : undefined
    const entityType = options.company ? ('company' as const) : ('individual' as const)
    const billingAddress = { country, zipCode: zip, address: street, state }
    const progress = terminal.startProgress('Computing a proof of work')
    const { accounts: platform } = createTrestle({ url, fetch: run.fetch })
    await platform.users.register({
      body: { email, displayName, password, entityType, billingAddress, ...(invitation && { invitation }) },
      signal: run.signal,
      onProof: (share) => progress.update(`${Math.round(share * 10)}0 %`, share),
    })
    terminal.endProgress()
    terminal.note(`A mail is on its way to ${email}. Open the link in it, then run: trestle login`)
    return undefined
  },
})

async function answers({ options, terminal }: SignUpRun) {
  const ask = async (option: keyof typeof QUESTIONS) =>
    options[option] ?? (await terminal.ask(`${QUESTIONS[option]}: `, `No terminal to ask: pass --${option}.`)).trim()
  const askIfPossible = async (option: keyof typeof QUESTIONS) => (terminal.isInteractive ? ask(option) : (options[option] ?? ''))
  return {
    email: await ask('email'),
    name: await ask('name'),
    country: await askIfPossible('country'),
    zip: await askIfPossible('zip'),
    street: await askIfPossible('street'),
    state: await askIfPossible('state'),
  }
}

export const signupCommands = [signup]
