import { Button, type ButtonProps, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { partsTexts } from '../texts/parts.js'
import { ProblemNotice } from './problem-notice.js'

interface ConfirmProps extends Pick<ButtonProps, 'size' | 'variant' | 'disabled'> {
  /** What the button says, here and in the question. */
  action: string
  title: string
  children: ReactNode
  /** What the user has to type to confirm. */
  word?: string
  /** What `children` say has to be done first. */
  isBlocked?: boolean
  color?: string
  onConfirm: () => Promise<unknown>
}

/** A button that asks for confirmation. */
export function ConfirmButton({ action, title, children, word, isBlocked, color = 'red', onConfirm, ...button }: ConfirmProps) {
  const [opened, { open, close }] = useDisclosure()
  const [typed, setTyped] = useState('')
  const mutation = useMutation({ mutationFn: onConfirm, onSuccess: close })
  return (
    <>
      <Button color={color} variant="light" {...button} onClick={open}>
        {action}
      </Button>
      <Modal opened={opened} onClose={close} title={title} centered>
        <Stack>
          {children}
          {word && (
            <TextInput
              label={partsTexts.typeToConfirm(word)}
              value={typed}
              styles={{ label: { overflowWrap: 'anywhere' } }}
              onChange={(event) => setTyped(event.currentTarget.value)}
              data-autofocus
            />
          )}
          {mutation.error && <ProblemNotice error={mutation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {partsTexts.cancel}
            </Button>
            <Button
              color={color}
              loading={mutation.isPending}
              disabled={isBlocked || (word !== undefined && typed.trim() !== word)}
              onClick={() => mutation.mutate()}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
