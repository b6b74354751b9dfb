import { type Command, command } from './command.js'
import { candidates, SCRIPTS } from './completion.js'

/** Of these commands, and of themselves. */
export function completionCommands(commands: () => readonly Command[]): Command[] {
  const script = command({
    name: 'completion',
    about: 'Print a shell completion script.',
    args: { shell: { about: 'the shell', choices: Object.keys(SCRIPTS) } },
    examples: [
      ['source <(trestle completion bash)', 'in ~/.bashrc; for zsh in ~/.zshrc after compinit'],
      ['trestle completion fish > ~/.config/fish/completions/trestle.fish', 'for fish'],
    ],
    isText: true,
    run: async ({ args }) => SCRIPTS[args.shell],
  })
  const found = command({
    name: 'completion candidates',
    about: 'Candidates for the last word; called by the shells.',
    args: { words: { about: 'the words typed, after --', many: true } },
    examples: [['trestle completion candidates -- nodes cr', 'one per line, with a description']],
    isText: true,
    run: async ({ args }) =>
      candidates(args.words, commands())
        .map(({ word, about }) => `${word}\t${about}\n`)
        .join(''),
  })
  return [script, found]
}
