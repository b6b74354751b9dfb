import { type Command, command } from './command.js'
import { candidates, SCRIPTS } from './completion.js'

/** Of these commands, and of themselves. */
export function completionCommands(commands: () => readonly Command[]): Command[] {
  const script = command({
    name: 'completion',
    about: 'Print what makes a shell complete commands, options and their values.',
    args: { shell: { about: 'which shell', choices: Object.keys(SCRIPTS) } },
    examples: [
      ['source <(trestle completion bash)', 'in ~/.bashrc; for zsh in ~/.zshrc after compinit'],
      ['trestle completion fish > ~/.config/fish/completions/trestle.fish', 'for fish'],
    ],
    isText: true,
    run: async ({ args }) => SCRIPTS[args.shell],
  })
  const found = command({
    name: 'completion candidates',
    about: 'What the last of these words could become: what the shells ask.',
    args: { words: { about: 'what was typed, after --', many: true } },
    examples: [['trestle completion candidates -- nodes cr', 'one a line, with what it does']],
    isText: true,
    run: async ({ args }) =>
      candidates(args.words, commands())
        .map(({ word, about }) => `${word}\t${about}\n`)
        .join(''),
  })
  return [script, found]
}
