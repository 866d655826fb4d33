/** The code with which something fails, of whichever error class; fails itself where nothing does. */
export const codeOf = async (doing: Promise<unknown>): Promise<string> => {
  try {
    await doing
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string') return code
    throw error
  }
  return 'nothing failed'
}

/** The same for what throws at once. */
export const codeThrown = (doing: () => unknown): string => {
  try {
    doing()
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string') return code
    throw error
  }
  return 'nothing failed'
}
