/** A stored file in memory. `writes` and `appends` count its changes. */
export function memoryFile(text?: string) {
  const file = {
    text,
    writes: 0,
    appends: 0,
    read: async () => file.text,
    write: async (next: string) => {
      file.text = next;
      file.writes++;
    },
    append: async (more: string) => {
      file.text += more;
      file.appends++;
    },
  };
  return file;
}
