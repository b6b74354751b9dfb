import { command } from '../command/command.js'
import { EXIT } from '../failure/failure.js'
import { stateCell } from '../output/view.js'
import { checkMachine } from './machine.js'
import { checkPlatform } from './reachability.js'

const doctor = command({
  name: 'doctor',
  about: 'What is missing on this machine, and how to get it. Exit code 1 where something needed is.',
  details: ['"optional" is what Trestle does without, or fetches by itself where it can.'],
  examples: [['trestle doctor', 'the machine, the platform, the login']],
  async run(run) {
    const findings = [...(await checkMachine(run)), ...(await checkPlatform(run))]
    if (findings.some(({ state }) => state === 'missing')) run.outcome.exit = EXIT.unexpected
    return findings
  },
  view: (findings) => [
    { head: ['', 'WHAT', 'FOUND'], rows: findings.map(({ name, state, found }) => [stateCell(state), name, found]) },
    { fields: findings.filter(({ state }) => state !== 'ok').map(({ name, advice }) => [name, advice]) },
  ],
})

export const doctorCommands = [doctor]
