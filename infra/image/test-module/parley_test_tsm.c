// SPDX-License-Identifier: GPL-2.0
/*
 * A provider of SEV-SNP reports for a machine that has no SEV: it hands 64 bytes of REPORT_DATA to whoever sits at the
 * other end of the second serial port, and hands back the report and the certificates that come from there. Only the
 * test image has it, and that image's digest, initrd and PCRs say so; who answers signs under a root that nobody trusts.
 *
 * Over the line: a mark, for firmware prints there too, and REPORT_DATA; then back two lengths (32 bits,
 * little-endian), the report, the certificate table.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/tsm.h>
#include <linux/tty.h>

#define REPORT_DATA_BYTES 64
#define MOST_BYTES 65536
#define MARK "\x01parley-report-data\x02"
#define MARK_BYTES (sizeof(MARK) - 1)

static DEFINE_MUTEX(line_lock);

/* Bytes as they are: no echo, no lines, no translation. */
static int set_raw(struct file *line)
{
	struct tty_struct *tty = ((struct tty_file_private *)line->private_data)->tty;
	struct ktermios raw = tty->termios;

	raw.c_iflag = 0;
	raw.c_oflag = 0;
	raw.c_lflag = 0;
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	return tty_set_termios(tty, &raw);
}

static int read_all(struct file *line, void *into, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = kernel_read(line, into + done, size - done, NULL);

		if (got <= 0)
			return got < 0 ? (int)got : -EIO;
		done += got;
	}
	return 0;
}

static u8 *read_part(struct file *line, u32 size)
{
	u8 *part = kvzalloc(size, GFP_KERNEL);
	int error;

	if (!part)
		return ERR_PTR(-ENOMEM);
	error = read_all(line, part, size);
	if (error) {
		kvfree(part);
		return ERR_PTR(error);
	}
	return part;
}

static int read_answer(struct file *line, struct tsm_report *report)
{
	__le32 lengths[2];
	u32 out, aux;
	u8 *outblob, *auxblob;
	int error = read_all(line, lengths, sizeof(lengths));

	if (error)
		return error;
	out = le32_to_cpu(lengths[0]);
	aux = le32_to_cpu(lengths[1]);
	if (!out || !aux || out > MOST_BYTES || aux > MOST_BYTES)
		return -EPROTO;
	outblob = read_part(line, out);
	if (IS_ERR(outblob))
		return PTR_ERR(outblob);
	auxblob = read_part(line, aux);
	if (IS_ERR(auxblob)) {
		kvfree(outblob);
		return PTR_ERR(auxblob);
	}
	report->outblob = outblob;
	report->outblob_len = out;
	report->auxblob = auxblob;
	report->auxblob_len = aux;
	return 0;
}

static int write_all(struct file *line, const void *from, size_t size)
{
	ssize_t sent = kernel_write(line, from, size, NULL);

	if (sent == size)
		return 0;
	return sent < 0 ? (int)sent : -EIO;
}

static int ask(struct file *line, struct tsm_report *report)
{
	int error = set_raw(line);

	if (!error)
		error = write_all(line, MARK, MARK_BYTES);
	if (!error)
		error = write_all(line, report->desc.inblob, REPORT_DATA_BYTES);
	return error ? error : read_answer(line, report);
}

static int report_new(struct tsm_report *report, void *data)
{
	struct file *line;
	int error;

	if (report->desc.inblob_len != REPORT_DATA_BYTES)
		return -EINVAL;
	mutex_lock(&line_lock);
	line = filp_open("/dev/ttyS1", O_RDWR | O_NOCTTY, 0);
	if (IS_ERR(line)) {
		error = PTR_ERR(line);
	} else {
		error = ask(line, report);
		filp_close(line, NULL);
	}
	mutex_unlock(&line_lock);
	return error;
}

static bool attribute_visible(int number)
{
	return number == TSM_REPORT_GENERATION || number == TSM_REPORT_PROVIDER ||
	       number == TSM_REPORT_PRIVLEVEL || number == TSM_REPORT_PRIVLEVEL_FLOOR;
}

static bool blob_visible(int number)
{
	return number == TSM_REPORT_INBLOB || number == TSM_REPORT_OUTBLOB || number == TSM_REPORT_AUXBLOB;
}

static const struct tsm_ops provider = {
	.name = "sev_guest",
	.report_new = report_new,
	.report_attr_visible = attribute_visible,
	.report_bin_attr_visible = blob_visible,
};

static int __init start(void)
{
	return tsm_register(&provider, NULL);
}

static void __exit stop(void)
{
	tsm_unregister(&provider);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("SEV-SNP reports from a simulated processor outside; for tests");
