import { command } from '../command/command.js'
import { EXIT } from '../failure/failure.js'
import { stateCell } from '../output/view.js'
import { checkMachine } from './machine.js'
import { checkPlatform } from './reachability.js'

const doctor = command({
  name: 'doctor',
  about: 'Check this machine, the platform and the login. Exit code 1 if something required is missing.',
  details: ['"optional": Trestle works without it, or fetches it if possible.'],
  examples: [['trestle doctor', 'the machine, the platform, the login']],
  async run(run) {
    const findings = [...(await checkMachine(run)), ...(await checkPlatform(run))]
    if (findings.some(({ state }) => state === 'missing')) run.outcome.exit = EXIT.unexpected
    return findings
  },
  view: (findings) => [
    { head: ['', 'CHECK', 'RESULT'], rows: findings.map(({ name, state, found }) => [stateCell(state), name, found]) },
    { fields: findings.filter(({ state }) => state !== 'ok').map(({ name, advice }) => [name, advice]) },
  ],
})

export const doctorCommands = [doctor]
