import { Button, type ButtonProps, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemNotice } from './problem-notice.js'

interface SubmitFormProps extends Pick<ButtonProps, 'variant' | 'disabled'> {
  /** What the button says. */
  action: string
  submission: { readonly mutate: () => void; readonly isPending: boolean }
  /** Why it was refused, if no field shows it. */
  problem: unknown
  children: ReactNode
  /** Beside the button. */
  beside?: ReactNode
  /** Where the button is: at the right in dialogs, as wide as the form where one signs in. */
  button?: 'left' | 'right' | 'wide'
  gap?: 'sm' | 'md'
  maxWidth?: number
}

/** Fields, and the button that sends them. */
export function SubmitForm({ action, submission, problem, children, beside, ...shown }: SubmitFormProps) {
  const { button = 'left', gap, maxWidth, ...look } = shown
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submission.mutate()
      }}
    >
      <Stack gap={gap} maw={maxWidth}>
        {children}
        {problem ? <ProblemNotice error={problem} /> : null}
        <Group justify={button === 'right' ? 'flex-end' : undefined} grow={button === 'wide'}>
          <Button type="submit" loading={submission.isPending} {...look}>
            {action}
          </Button>
          {beside}
        </Group>
      </Stack>
    </form>
  )
}
